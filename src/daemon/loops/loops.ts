import { availableParallelism } from 'node:os'
import type { RunEvent } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import type { KeyedEffect } from '../../core/effect.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { RunQuestions } from '../inbox/run-questions.ts'
import { judgeIteration } from '../judge/ask-judge.ts'
import type { Run } from '../runtime/run.ts'
import { WriteBehind } from '../runtime/write-behind.ts'
import { wardIteration } from '../ward/check-commit.ts'
import { closeAtLast } from './close.ts'
import type { LoopOutside } from './loop-outside.ts'
import { openLoop } from './open.ts'
import { prepareIteration } from './prepare.ts'
import { project } from './projections.ts'
import { loopAsking, type WantedByLoop } from './questions.ts'
import { ownEnvironment } from './workplace.ts'

const MOST_WARDS = Math.max(1, Math.floor(availableParallelism() / 2))

/** Performs what concerns loops. Doing an effect a second time finds what the first time made. */
export class Loops {
  readonly #outside: LoopOutside
  readonly #questions: RunQuestions<WantedByLoop>
  /** What stands in loop directories. */
  readonly #files: WriteBehind
  readonly #watched = new Set<string>()
  /** Ends what is being done for a run that has ended. */
  readonly #cancels = new Map<string, AbortController>()
  readonly #warding = new Set<Promise<void>>()
  /** Calls back when a loop has ended, however it did. */
  readonly #ended: (run: Run) => void

  constructor(outside: LoopOutside, inbox: Inbox, ended: (run: Run) => void) {
    this.#outside = outside
    this.#questions = new RunQuestions(outside, inbox, loopAsking(outside))
    this.#files = new WriteBehind(outside, run => project(outside, run))
    this.#ended = ended
  }

  /** After a restart: a loop that waits for a person has nothing to be done, and still asks. */
  recover(runs: Run[]): void {
    for (const run of runs) if (run.record.state.kind === 'loop') this.#watch(run)
  }

  async perform(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    if (run.record.state.kind === 'loop') this.#watch(run)
    const outcome = await this.#do(run, key, effect)
    if (outcome) await this.#outside.postSurely(run, outcome)
  }

  /** What the place where it works adds to its sessions' environment. */
  environmentOf(run: Run): Promise<Record<string, string>> {
    return run.record.state.kind === 'loop' ? ownEnvironment(this.#outside, run) : Promise.resolve({})
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
        return this.wardInTurn(run, signal => wardIteration(this.#outside, run, key, effect, signal))
      case 'ask-judge':
        return judgeIteration(this.#outside, run, key, effect, this.#signalOf(run))
      default:
        return null
    }
  }

  /** Wards have a limit of their own: each may use the whole machine. */
  async wardInTurn(run: Run, ward: (signal: AbortSignal) => Promise<RunEvent>): Promise<RunEvent | null> {
    const signal = this.#signalOf(run)
    while (this.#warding.size >= MOST_WARDS) await Promise.race(this.#warding)
    const done = ward(signal)
    const settled = done.then(
      () => {},
      () => {},
    )
    this.#warding.add(settled)
    try {
      return await done
    } catch (error) {
      // Somebody cancelled the run: nobody waits for the outcome.
      if (signal.aborted) return null
      throw error
    } finally {
      this.#warding.delete(settled)
    }
  }

  /** Nobody waits for what is being checked for it. */
  endWards(run: Run): void {
    this.#cancels.get(run.id)?.abort()
  }

  #signalOf(run: Run): AbortSignal {
    const known = this.#cancels.get(run.id)
    const cancel = known && !known.signal.aborted ? known : new AbortController()
    this.#cancels.set(run.id, cancel)
    return AbortSignal.any([cancel.signal, this.#outside.stopping])
  }

  /** Whatever changes in a run is written where people and agents look. */
  #watch(run: Run): void {
    if (this.#watched.has(run.id)) return
    this.#watched.add(run.id)
    let hasEnded = false
    run.listen(() => {
      this.#files.soon(run)
      this.#questions.look(run)
      const isEnded = ENDED.has(run.record.state.status)
      if (isEnded && !hasEnded) {
        this.#cancels.get(run.id)?.abort()
        this.#ended(run)
      }
      hasEnded = isEnded
    })
    this.#questions.look(run)
    this.#files.soon(run)
  }

  /** Everything that was begun to be written is written. */
  settle(): Promise<void> {
    return this.#files.settle()
  }
}
