import type { LoopDirectory } from '../../adapters/loop-directory.ts'
import { hashOf } from './loop-outside.ts'

/** What files can say of the ledger: the tree of the checkpoint and the states of the tasks. Null: neither is there. */
export async function ledgerHash(directory: LoopDirectory, tree: string | null): Promise<string | null> {
  const tasks = (await directory.read('tasks.md', 1_000_000)) ?? ''
  const states = tasks.split('\n').filter(line => /^\s*- \[[ ~xX]\]/.test(line))
  return tree === null && states.length === 0 ? null : hashOf(tree ?? '', states.join('\n'))
}
