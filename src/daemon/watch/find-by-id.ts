import type { Found } from '../../contract/agent-detail.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { nearest } from '../../contract/nearest.ts'
import type { Agents } from '../agents/agents.ts'
import type { Runs } from '../runtime/runs.ts'

type Known = { runs: Runs; agents: Agents }

// With less than this everything is near to everything.
const GUESSED_FROM = 4

/** A run or an agent, by its id or a beginning of it that fits one only. A whole run id means that run. */
export function find({ runs, agents }: Known, text: string): Found {
  if (runs.has(text)) return { kind: 'run', id: runs.find(text).id }
  const fitting =
    text === ''
      ? []
      : candidates({ runs, agents }).filter(
          ({ id }) => id.startsWith(text) && (text.includes('.') || !id.includes('.')),
        )
  if (fitting.length === 1) return fitting[0]!
  if (fitting.length > 1) {
    const shown = fitting.slice(0, 5).map(({ kind, id }) => `${kind} ${id}`)
    const more = fitting.length > shown.length ? ` and ${fitting.length - shown.length} more` : ''
    const sentence = `"${text}" fits ${fitting.length}: ${shown.join(', ')}${more}; type more of the id`
    throw new RehoboamError('id-ambiguous', sentence)
  }
  const near = nearestTo(
    text,
    candidates({ runs, agents }).map(({ id }) => id),
  )
  const guess = near ? `did you mean ${near}? ` : ''
  const sentence = `there is no run or agent "${text}"; ${guess}rehoboam runs and rehoboam agents list them`
  throw new RehoboamError('id-unknown', sentence)
}

function candidates({ runs, agents }: Known): Found[] {
  return [
    ...runs.all().map(({ id }): Found => ({ kind: 'run', id })),
    ...agents.list().map(({ session, run }): Found => ({ kind: 'agent', id: session, run })),
  ]
}

/** Compared with as much of each id as was typed. */
function nearestTo(text: string, ids: string[]): string | null {
  if (text.length < GUESSED_FROM) return null
  const near = nearest(
    text,
    ids.map(id => id.slice(0, text.length)),
  )
  return near === null ? null : (ids.find(id => id.startsWith(near)) ?? null)
}
