import type { RunEvent, Stamped } from '../../src/contract/event.ts'
import type { KeyedEffect } from '../../src/core/effect.ts'
import { advance, isStale, type RunRecord } from '../../src/core/run/advance.ts'
import type { RunState } from '../../src/core/run/run-state.ts'
import fc from '../support/laws.ts'
import { postEvent, stamp } from './run-world.ts'

/** Lives of runs: of everything that can happen now, chance takes one, again and again. */

export type Taken<S extends RunState> = {
  before: RunRecord<S>
  event: Stamped
  after: RunRecord<S>
  effects: KeyedEffect[]
}

/** What chance needs to know of a kind of run. */
export type Kind<S extends RunState> = {
  kind: S['kind']
  starts: fc.Arbitrary<RunEvent>
  moves(record: RunRecord<S>): RunEvent[]
}

/** Tries a law with many lives of a kind of run. `first`: the event that made the run. */
export function holds<S extends RunState>(
  { starts, moves }: Kind<S>,
  length: number,
  law: (life: Taken<S>[], first: Stamped) => void,
): void {
  const chances = fc.array(fc.nat(), { maxLength: length, size: 'max' })
  const lives = fc.property(starts, chances, (start, picks) => law(live(start, picks, moves), stamp(null, start)))
  fc.assert(lives, { numRuns: 200 })
}

function live<S extends RunState>(start: RunEvent, chances: number[], moves: Kind<S>['moves']): Taken<S>[] {
  let { record } = postEvent<S>(null, start)
  return chances.map(chance => {
    const before = record
    const possible = moves(before).filter(event => !isStale(before, event))
    const event = stamp(before, possible[chance % possible.length]!)
    const { record: after, effects } = advance<S>(before, event)
    record = after
    return { before, event, after, effects }
  })
}
