import { wishOf } from '../../src/core/loop/doing.ts'
import type { LoopRun } from '../../src/core/loop/loop-state.ts'
import { isAway } from '../../src/core/loop/outage.ts'
import { isStale } from '../../src/core/run/advance.ts'
import { type LoopMove, loopMoves } from './loop-moves.ts'
import { created, type LoopChange, type LoopRecord, post, WARD } from './loop-world.ts'

/** A step that was taken: from which state, by which move, to which. */
export type Step = { from: LoopRecord; move: LoopMove; to: LoopRecord; asked: string[] }

type Walk = { states: Map<string, LoopRecord>; steps: Step[] }

const SPECS: [LoopChange, 'headless' | 'pane'][] = [
  [{ ward: WARD, judge: 'model', maxIterations: 2, maxTimeMs: 1e9 }, 'headless'],
  [{ ward: WARD, judge: 'heuristic', maxIterations: 2, maxTimeMs: 1e9 }, 'pane'],
  [{ judge: 'off', maxIterations: 2, noQuestions: true }, 'headless'],
]

/** Breadth first over everything that can happen, until nothing new is found. States that differ in numbers only are one. */
export function walkLoops(): Walk {
  const walk: Walk = { states: new Map(), steps: [] }
  for (const [spec, driver] of SPECS) {
    const first = post(null, created(spec, driver)).record
    const found = new Map([[shapeOf(first), first]])
    // A map gives out what is added to it while it is gone through.
    for (const from of found.values()) {
      for (const move of loopMoves) {
        const event = move.event(from)
        if (!event || isStale(from, event)) continue
        const { record: to, effects } = post(from, event)
        walk.steps.push({ from, move, to, asked: effects.map(({ effect }) => effectName(effect)) })
        const shape = shapeOf(to)
        if (!found.has(shape)) found.set(shape, to)
      }
    }
    for (const [shape, record] of found) walk.states.set(`${driver}, ${spec.judge}: ${shape}`, record)
  }
  return walk
}

/** What a loop does, with what it has been asked for and cannot do at once. */
export function stateName({ doing, status, cause }: LoopRun): string {
  if (doing.is === 'ended') return 'ended'
  if (doing.is === 'resting') return `${status} at ${doing.at}${doing.isUndone ? ', undone' : ''}`
  if (doing.is === 'keeping') return `keeping, to be ${doing.ending.status}`
  const wish = wishOf(doing)
  return `${cause ?? doing.is}${wish ? `, to ${wish}` : ''}`
}

function shapeOf({ state, pending }: LoopRecord): string {
  const { session, iteration, iterations, doing } = state
  const turn = session?.turn
  const last = iterations.at(-1)
  return [
    stateName(state),
    doing.is === 'ended' ? state.isOpen : '',
    isAway(state) ? 'away' : '',
    turn ? `${session.status} ${turn.state} ${turn.ending} ${turn.result?.why} ${turn.takenOver}` : 'no session',
    Math.min(state.freshStarts, 1),
    last?.n === iteration ? `closed ${last.facts !== null}` : 'not begun',
    [...new Set(Object.values(pending).map(effectName))].sort().join(', '),
  ].join('; ')
}

function effectName(effect: LoopRecord['pending'][string]): string {
  return effect.do === 'set-timer' ? `set-timer ${effect.name}` : effect.do
}
