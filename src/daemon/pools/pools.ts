import { join } from 'node:path'
import type { RunEvent } from '../../contract/event.ts'
import type { KeyedEffect } from '../../core/effect.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { RunQuestions } from '../inbox/run-questions.ts'
import { taskMerged } from '../merges/merge-task.ts'
import type { Run } from '../runtime/run.ts'
import { Watched } from '../runtime/watched.ts'
import { WriteBehind } from '../runtime/write-behind.ts'
import { passOn, runChild } from './children.ts'
import { openPool } from './open-pool.ts'
import { type PoolOutside, poolOf } from './pool-outside.ts'
import { poolAsking } from './pool-questions.ts'
import { SparePlaces } from './spare-place.ts'
import { projectTasks, readTasks } from './tasks.ts'
import { tellChildren } from './tell-children.ts'

/** Performs what concerns pools. Doing an effect a second time finds what the first time made. */
export class Pools {
  readonly #outside: PoolOutside
  readonly #watched: Watched
  /** tasks.md. */
  readonly #files: WriteBehind
  readonly #spare: SparePlaces

  constructor(outside: PoolOutside, inbox: Inbox) {
    this.#outside = outside
    this.#files = new WriteBehind(outside, run => projectTasks(outside, run))
    this.#spare = new SparePlaces(outside)
    const questions = new RunQuestions(outside, inbox, poolAsking(outside))
    this.#watched = new Watched({
      now: () => outside.now(),
      look: run => {
        questions.look(run)
        this.#files.soon(run)
        this.#spare.look(run)
      },
      leave: run => void this.#leave(run),
    })
  }

  recover(runs: Run[]): void {
    this.#watched.recover(runs.filter(run => run.record.state.kind === 'pool'))
  }

  async perform(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    this.watch(run)
    const outcome = await this.#do(run, key, effect)
    if (outcome) await this.#outside.postSurely(run, outcome)
  }

  /** Whatever changes in a pool is written where people and agents look. */
  watch(run: Run): void {
    this.#watched.watch(run)
  }

  /** Everything that was begun to be written is written. */
  settle(): Promise<void> {
    return this.#files.settle()
  }

  async #do(run: Run, key: string, effect: KeyedEffect['effect']): Promise<RunEvent | null> {
    switch (effect.do) {
      case 'open-pool':
        return openPool(this.#outside, run, key)
      case 'run-child':
        return runChild(this.#outside, run, key, effect)
      case 'tell-children':
        return tellChildren(this.#outside, run, key, effect)
      case 'pass-on':
        return passOn(this.#outside, run, key, effect)
      case 'read-tasks':
        return { type: 'tasks-read', effect: key, ...(await readTasks(this.#outside, run)) }
      case 'merge-task':
        return this.#outside.wardTurns.take(run, signal =>
          taskMerged(this.#outside, run, key, { effect, of: poolOf(run) }, signal),
        )
      default:
        return null
    }
  }

  /** What only a live pool needs. */
  async #leave(run: Run): Promise<void> {
    const { log, repository, environments, home } = this.#outside
    environments.forget(run.id)
    const path = join(home, 'worktrees', `${run.id}-planner`)
    await repository
      .removeWorktree({ repository: poolOf(run).spec.project, path })
      .catch(error => log(`run ${run.id}: ${(error as Error).message}`))
    await this.#spare.leave(run).catch(error => log(`run ${run.id}: ${(error as Error).message}`))
  }
}
