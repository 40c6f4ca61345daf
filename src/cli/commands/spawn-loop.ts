import { createInterface } from 'node:readline/promises'
import type { LoopRequest, SpawnRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { WardPlan } from '../../contract/ward-plan.ts'
import { plainLine } from '../../view/plain.ts'
import type { Face } from '../face.ts'
import type { Options } from './spawn.ts'

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

/** What of a loop is not configuration. The checks that were found are shown, and agreed to before the run exists. */
export async function loopOf(face: Face, request: SpawnRequest, options: Options): Promise<LoopRequest> {
  const ward = options.ward === false ? [] : Array.isArray(options.ward) ? options.ward : null
  const { directory, environment, flags } = request
  const role = roleOf(options.role)
  const worktree = options.worktree === true
  // Workers have worktrees of their own, whatever the loop directory is.
  const body = { directory, environment, flags, ward, worktree: worktree || role === 'planner' }
  const plan = await face.daemon.ask<WardPlan>({ method: 'POST', path: '/v1/runs/ward', body })
  const loop: LoopRequest = {
    role,
    autoSpawn: options.autoSpawnWorkers === true,
    ward,
    judgePrompt: options.judgePrompt ?? null,
    acceptRedBase: options.acceptRedBase === true,
    agreed: null,
    worktree,
    agreedDirty: await agreesToDirty(plan.dirty, options),
  }
  if (plan.commands.length === 0 && options.ward !== false)
    face.out.note('no checks were found: what is claimed stays unproven; --ward "<command>" names one')
  for (const { command, from } of plan.commands) face.out.note(`check: ${plainLine(command)} (${plainLine(from)})`)
  for (const { command, from } of plan.setup) face.out.note(`setup: ${plainLine(command)} (${plainLine(from)})`)
  const asked = 'These commands run outside the client\u2019s permissions. Run them? [y/N] '
  if (plan.needsAgreement && !(options.yes || (await agrees(asked)))) throw notAgreed(plan)
  return { ...loop, agreed: plan.needsAgreement ? plan.hash : null }
}

function roleOf(text: string | undefined): LoopRequest['role'] {
  const role = (text ?? 'auto').toLowerCase()
  if (role === 'auto' || role === 'planner' || role === 'worker') return role
  throw new RehoboamError('usage', `the role "${text}" is not known; planner, worker and auto are`)
}

/** What is not committed stays where it is, and is not in a worktree. */
async function agreesToDirty(dirty: string[], options: Options): Promise<boolean> {
  if (dirty.length === 0) return false
  const more = dirty.length > MOST_NAMED ? ` and ${dirty.length - MOST_NAMED} more` : ''
  const named = `${dirty
    .slice(0, MOST_NAMED)
    .map(path => plainLine(path))
    .join(', ')}${more}`
  if (
    options.yes ||
    (await agrees(`These files are not committed, and the worktree begins without them: ${named}. Go on? [y/N] `))
  )
    return true
  const sentence = `these files are not committed, and a worktree begins with HEAD, without them: ${named}; git commit, or --yes goes without`
  throw new RehoboamError('usage', sentence)
}

const MOST_NAMED = 10

async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(question)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

function notAgreed(plan: WardPlan): RehoboamError {
  const all = plan.commands.length + plan.setup.length
  const what = plan.setup.length
    ? all === 1
      ? 'this setup was'
      : 'these commands were'
    : all === 1
      ? 'this check was'
      : 'these checks were'
  return new RehoboamError(
    'usage',
    `${what} found in the project and nobody has agreed to run them; --yes agrees, --no-ward goes without checks, --ward "<command>" names others`,
  )
}
