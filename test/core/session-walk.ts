import { isStale } from '../../src/core/run/advance.ts'
import { isPossible, type Move, moves } from './session-moves.ts'
import { created, post, type SessionRecord } from './session-world.ts'

/** A step that was taken: from which state, by which move, to which. */
export type Step = { from: SessionRecord; move: Move; to: SessionRecord; asked: string[] }

// Counters only matter up to here: the specification that is walked gives up after two cut-offs.
const CAP = 2

/** Breadth first over everything that can happen, until nothing new is found. States that differ in numbers only are one. */
export function walk(driver: 'headless' | 'pane'): { states: Map<string, SessionRecord>; steps: Step[] } {
  const first = post(null, created({ driver })).record
  const states = new Map([[shapeOf(first), first]])
  const steps: Step[] = []
  // A map gives out what is added to it while it is gone through.
  for (const from of states.values()) {
    for (const move of moves.filter(move => isPossible(from, move))) {
      const event = move.event(from)
      if (isStale(from, event)) continue
      const { record: to, effects } = post(from, event)
      steps.push({ from, move, to, asked: effects.map(({ effect }) => effectName(effect)) })
      const shape = shapeOf(to)
      if (!states.has(shape)) states.set(shape, to)
    }
  }
  return { states, steps }
}

export function shapeOf({ state, pending }: SessionRecord): string {
  const { turn } = state
  const count = (n: number) => Math.min(n, CAP)
  return [
    stateName({ state, pending } as SessionRecord),
    `result ${turn.result?.why ?? 'none'}`,
    turn.heard ? 'heard' : 'unheard',
    `exit ${turn.exit?.how ?? 'none'}`,
    `crashes ${count(state.crashes)}`,
    `waiting ${count(state.waiting.length)}`,
    `repairs ${count(state.repairs)}`,
    `turns ${count(turn.n)}`,
    `pending ${Object.values(pending)
      .map(effect =>
        effect.do === 'end-session' ? `${effectName(effect)} ${effect.turn === turn.n}` : effectName(effect),
      )
      .filter((name, at, all) => all.indexOf(name) === at)
      .sort()
      .join(', ')}`,
  ].join('; ')
}

/** What a person would call the state: where the run stands, and what its turn does. */
export function stateName({ state }: SessionRecord): string {
  if (state.status !== 'active') return `${state.status}: ${state.cause}`
  const { turn } = state
  if (turn.state === 'ended') return 'active, cut off'
  const spoken = turn.result ? `, ${resultName(turn.result.why)}` : ''
  return `active, ${turn.state}${spoken}${turn.ending ? `, ending for ${turn.ending}` : ''}`
}

function resultName(why: string): string {
  return why === 'ok' ? 'has a result' : why === 'max-cost' ? 'has spent all' : 'has an error'
}

function effectName(effect: SessionRecord['pending'][string]): string {
  return effect.do === 'set-timer' ? `set-timer ${effect.name}` : effect.do
}
