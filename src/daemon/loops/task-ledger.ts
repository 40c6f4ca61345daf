import type { LoopDirectory } from '../../adapters/loop-directory.ts'
import { hashOf } from '../runtime/stable-id.ts'

/** The lines of tasks.md that say how a task stands. */
export async function taskStates(directory: LoopDirectory): Promise<string[]> {
  const tasks = (await directory.read('tasks.md', 1_000_000)) ?? ''
  return tasks.split('\n').filter(line => /^\s*- \[[ ~xX]\]/.test(line))
}

/** What files can say of the ledger: the tree of the checkpoint and the states of the tasks. Null: neither is there. */
export function ledgerHash(states: string[], tree: string | null): string | null {
  return tree === null && states.length === 0 ? null : hashOf(tree ?? '', states.join('\n'))
}
