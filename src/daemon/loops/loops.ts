import type { RunEvent } from '../../contract/event.ts'
import type { KeyedEffect } from '../../core/effect.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { RunQuestions } from '../inbox/run-questions.ts'
import { judgeIteration } from '../judge/ask-judge.ts'
import type { Run } from '../runtime/live-run.ts'
import { Watched } from '../runtime/watched.ts'
import { WriteBehind } from '../runtime/write-behind.ts'
import { wardIteration } from './check-iteration.ts'
import { closeAtLast } from './close.ts'
import type { LoopOutside } from './loop-outside.ts'
import { openLoop } from './open-loop.ts'
import { prepareIteration } from './prepare.ts'
import { project } from './projections.ts'
import { loopAsking } from './questions.ts'

/** Performs what concerns loops. Doing an effect a second time finds what the first time made. */
export class Loops {
  readonly #outside: LoopOutside
  readonly #watched: Watched
  /** What stands in loop directories. */
  readonly #files: WriteBehind

  /** `ended`: calls back when a loop has ended, however it did. */
  constructor(outside: LoopOutside, inbox: Inbox, ended: (run: Run) => void) {
    this.#outside = outside
    this.#files = new WriteBehind(outside, run => project(outside, run))
    const questions = new RunQuestions(outside, inbox, loopAsking(outside))
    // Whatever changes in a run is written where people and agents look.
    this.#watched = new Watched({
      now: () => outside.now(),
      look: run => {
        this.#files.soon(run)
        questions.look(run)
      },
      leave: run => {
        outside.wardTurns.cancel(run)
        ended(run)
      },
    })
  }

  /** After a restart: a loop that waits for a person has nothing to be done, and still asks. */
  recover(runs: Run[]): void {
    for (const run of runs) if (run.record.state.kind === 'loop') this.#watched.watch(run)
  }

  async perform(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    if (run.record.state.kind === 'loop') this.#watched.watch(run)
    const outcome = await this.#do(run, key, effect)
    if (outcome) await this.#outside.postSurely(run, outcome)
  }

  async #do(run: Run, key: string, effect: KeyedEffect['effect']): Promise<RunEvent | null> {
    switch (effect.do) {
      case 'open-loop':
        return openLoop(this.#outside, run, key)
      case 'prepare-iteration':
        return prepareIteration(this.#outside, run, key, effect)
      case 'close-iteration':
        return closeAtLast(this.#outside, run, key, effect)
      case 'run-ward':
        return this.#outside.wardTurns.take(run, signal => wardIteration(this.#outside, run, key, effect, signal))
      case 'ask-judge':
        return judgeIteration(this.#outside, run, key, effect, this.#outside.wardTurns.signalOf(run))
      default:
        return null
    }
  }

  /** Everything that was begun to be written is written. */
  settle(): Promise<void> {
    return this.#files.settle()
  }
}
