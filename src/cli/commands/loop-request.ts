import type { LoopRequest, SpawnRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { Face } from '../face.ts'
import { agreementOf } from './agreement.ts'
import type { Options } from './spawn-command.ts'

const LOOP_FLAGS: [option: string, flag: string][] = [
  ['maxIterations', '--max-iterations'],
  ['stopWord', '--stop-word'],
  ['stallAfter', '--stall-after'],
  ['judge', '--judge'],
  ['judgePrompt', '--judge-prompt'],
  ['ward', '--ward'],
  ['acceptRedBase', '--accept-red-base'],
  ['worktree', '--worktree'],
  ['autoSpawnWorkers', '--auto-spawn-workers'],
  ['maxWorkers', '--max-workers'],
]

export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

export function refuseLoopFlags(options: Options): void {
  const given = LOOP_FLAGS.find(([option]) => options[option] !== undefined)
  if (given) throw new RehoboamError('usage', `${given[1]} is for loops; add --loop`)
}

/** What of a loop is not configuration. */
export async function loopOf(face: Face, request: SpawnRequest, options: Options): Promise<LoopRequest> {
  const role = roleOf(options.role)
  const worktree = options.worktree === true
  // Workers have worktrees of their own, whatever the loop directory is.
  const agreement = await agreementOf(face, request, options, worktree || role === 'planner')
  return {
    role,
    autoSpawn: options.autoSpawnWorkers === true,
    judgePrompt: options.judgePrompt ?? null,
    acceptRedBase: options.acceptRedBase === true,
    worktree,
    ...agreement,
  }
}

function roleOf(text: string | undefined): LoopRequest['role'] {
  const role = (text ?? 'auto').toLowerCase()
  if (role === 'auto' || role === 'planner' || role === 'worker') return role
  throw new RehoboamError('usage', `the role "${text}" is not known; planner, worker and auto are`)
}
