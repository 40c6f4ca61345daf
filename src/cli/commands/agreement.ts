import { createInterface } from 'node:readline/promises'
import type { LoopRequest, SpawnRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { WardPlan } from '../../contract/ward-plan.ts'
import { plainLine } from '../../view/plain.ts'
import type { Face } from '../face.ts'
import type { Options } from './spawn-command.ts'

type Agreement = Pick<LoopRequest, 'ward' | 'agreed' | 'agreedDirty'>

/** The checks that were found, and what is not committed, are shown, and agreed to before the run exists. */
export async function agreementOf(
  face: Face,
  { directory, environment, flags }: SpawnRequest,
  options: Options,
  worktree: boolean,
): Promise<Agreement> {
  const ward = options.ward === false ? [] : Array.isArray(options.ward) ? options.ward : null
  const body = { directory, environment, flags, ward, worktree }
  const plan = await face.daemon.ask<WardPlan>({ method: 'POST', path: '/v1/runs/ward', body })
  const agreedDirty = await agreesToDirty(plan.dirty, options)
  if (plan.commands.length === 0 && options.ward !== false)
    face.out.note('no checks were found: what is claimed stays unproven; --ward "<command>" names one')
  for (const { command, from } of plan.commands) face.out.note(`check: ${plainLine(command)} (${plainLine(from)})`)
  for (const { command, from } of plan.setup) face.out.note(`setup: ${plainLine(command)} (${plainLine(from)})`)
  const asked = 'These commands run outside the client\u2019s permissions. Run them? [y/N] '
  if (plan.needsAgreement && !(options.yes || (await agrees(asked)))) throw notAgreed(plan)
  return { ward, agreed: plan.needsAgreement ? plan.hash : null, agreedDirty }
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
