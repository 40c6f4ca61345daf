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
]

export function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

export function refuseLoopFlags(options: Options): void {
  const given = LOOP_FLAGS.find(([option]) => options[option] !== undefined && options[option] !== true)
  if (given) throw new RehoboamError('usage', `${given[1]} is for loops; add --loop`)
}

/** What of a loop is not configuration. The checks that were found are shown, and agreed to before the run exists. */
export async function loopOf(face: Face, request: SpawnRequest, options: Options): Promise<LoopRequest> {
  const ward = options.ward === false ? [] : Array.isArray(options.ward) ? options.ward : null
  const { directory, environment, flags } = request
  const body = { directory, environment, flags, ward }
  const plan = await face.daemon.ask<WardPlan>({ method: 'POST', path: '/v1/runs/ward', body })
  const loop: LoopRequest = {
    role: roleOf(options.role),
    ward,
    judgePrompt: options.judgePrompt ?? null,
    acceptRedBase: options.acceptRedBase === true,
    agreed: null,
  }
  if (plan.commands.length === 0) {
    if (options.ward !== false)
      face.out.note('no checks were found: what is claimed stays unproven; --ward "<command>" names one')
    return loop
  }
  for (const { command, from } of plan.commands) face.out.note(`check: ${plainLine(command)} (${plainLine(from)})`)
  if (plan.needsAgreement && !(options.yes || (await agrees()))) throw notAgreed(plan)
  return { ...loop, agreed: plan.needsAgreement ? plan.hash : null }
}

function roleOf(text: string | undefined): LoopRequest['role'] {
  const role = (text ?? 'auto').toLowerCase()
  if (role === 'auto') return role
  throw new RehoboamError('usage', `the role "${text}" is not known; auto is (planner and worker will be)`)
}

async function agrees(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question('These checks run outside the client\u2019s permissions. Run them? [y/N] ')
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

function notAgreed(plan: WardPlan): RehoboamError {
  const count = plan.commands.length === 1 ? 'this check was' : 'these checks were'
  return new RehoboamError(
    'usage',
    `${count} found in the project and nobody has agreed to run them; --yes agrees, --no-ward goes without, --ward "<command>" names others`,
  )
}
