import type { Doing } from '../../src/core/loop/doing.ts'
import { redraw } from '../support/drawn-part.ts'
import { type Step, walkLoops } from './loop-walk.ts'

export const DOC = new URL('../../docs/loops.md', import.meta.url)
const PART = { page: 'docs/loops.md', part: 'states', writer: 'test/loop/write-loop-states.ts' }

const STATES: Record<Doing['is'], string> = {
  opening: 'makes the loop directory and finds the base',
  basing: 'runs the checks on the base',
  preparing: 'writes the prompt of the next iteration',
  running: 'lets the session work',
  waiting: 'waits for the end of an account limit, or until it tries the model again',
  'taken-over': 'leaves the pane to the person who types in it',
  closing: 'makes a checkpoint of a finished iteration and reads what it left',
  warding: 'runs the checks on a claim',
  judging: 'asks the model judge',
  keeping: 'makes a checkpoint of an iteration that was cut off, and then ends',
  resting: 'is paused, or blocked by a question',
  ended: 'has ended',
}

/** The document with the part between its markers drawn from a walk over everything that the machine can do. */
export function redrawn(document: string, steps = walkLoops().steps): string {
  return redraw(document, PART, statesTable(steps))
}

/** One row per state: what the loop does there, and which events lead to which states. */
function statesTable(steps: Step[]): string {
  const rows = Object.entries(STATES).map(([state, words]) => {
    const leaving = steps.filter(({ from, to }) => from.state.doing.is === state && to.state.doing.is !== state)
    return `| ${state} | ${words} | ${waysOut(leaving).join('<br>')} |`
  })
  return ['| state | the loop | what leads out of it |', '|---|---|---|', ...rows].join('\n')
}

/** Events that lead to the same states share a line. */
function waysOut(steps: Step[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { move, to } of steps) {
    const event = eventIn(move.name)
    targets.set(event, (targets.get(event) ?? new Set()).add(to.state.doing.is))
  }
  const grouped = new Map<string, string[]>()
  for (const [event, names] of targets) {
    const leads = Object.keys(STATES).filter(state => names.has(state))
    grouped.set(leads.join(', '), [...(grouped.get(leads.join(', ')) ?? []), event])
  }
  return [...grouped].map(([leads, events]) => `${events.join(', ')} → ${leads}`)
}

/** The type of the event, and of a timer its name. */
function eventIn(move: string): string {
  const [event = '', name = ''] = move.split(' ')
  return event === 'timer-fired' ? name : event
}
