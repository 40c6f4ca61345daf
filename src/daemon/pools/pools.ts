import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunEvent } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import type { EffectOf, KeyedEffect } from '../../core/effect.ts'
import type { Inbox } from '../inbox/inbox.ts'
import type { Run } from '../runtime/run.ts'
import { mergeTask } from '../worktrees/merge-task.ts'
import { runChild, tellChildren } from './children.ts'
import { openPool } from './open-pool.ts'
import { type PoolOutside, poolOf } from './pool-outside.ts'
import { PoolQuestions } from './pool-questions.ts'
import { projectTasks, readTasks } from './tasks.ts'

// Who reads the file sees no difference, and each writing reads all tasks.
const TOGETHER_MS = 150

// A daemon that was killed is there again within minutes. To look at every pool that ever ended would cost a start more than that.
const CUT_OFF_MS = 24 * 3_600_000

/** Performs what concerns pools. Doing an effect a second time finds what the first time made. */
export class Pools {
  readonly #outside: PoolOutside
  readonly #questions: PoolQuestions
  readonly #watched = new Set<string>()
  /** tasks.md of a run is written by one at a time; `true`: once more, because something has changed since. */
  readonly #writing = new Map<string, { again: boolean; done: Promise<void> }>()

  constructor(outside: PoolOutside, inbox: Inbox) {
    this.#outside = outside
    this.#questions = new PoolQuestions(outside, inbox)
  }

  /** After a restart: one that waits for a person has nothing to be done, and still asks. */
  recover(runs: Run[]): void {
    for (const run of runs) {
      if (run.record.state.kind !== 'pool') continue
      this.watch(run)
      // Killed between its end and what follows it.
      const { endedAt } = run.record.state
      if (endedAt !== null && this.#outside.now() - endedAt < CUT_OFF_MS) void this.#leave(run)
    }
  }

  async perform(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    this.watch(run)
    const outcome = await this.#do(run, key, effect)
    if (outcome) await this.#outside.postSurely(run, outcome)
  }

  /** Whatever changes in a pool is written where people and agents look. */
  watch(run: Run): void {
    if (this.#watched.has(run.id)) return
    this.#watched.add(run.id)
    let isEnded = ENDED.has(run.record.state.status)
    const look = () => {
      this.#questions.look(run)
      this.#write(run)
      const has = ENDED.has(run.record.state.status)
      if (has && !isEnded) void this.#leave(run)
      isEnded = has
    }
    run.listen(look)
    look()
  }

  /** Everything that was begun to be written is written. */
  async settle(): Promise<void> {
    await Promise.all([...this.#writing.values()].map(({ done }) => done))
  }

  async #do(run: Run, key: string, effect: KeyedEffect['effect']): Promise<RunEvent | null> {
    switch (effect.do) {
      case 'open-pool':
        return openPool(this.#outside, run, key)
      case 'run-child':
        return runChild(this.#outside, run, key, effect)
      case 'tell-children':
        return tellChildren(this.#outside, run, key, effect)
      case 'read-tasks':
        return { type: 'tasks-read', effect: key, ...(await readTasks(this.#outside, run)) }
      case 'merge-task':
        return this.#outside.wardInTurn(run, signal => this.#merge(run, key, effect, signal))
      default:
        return null
    }
  }

  async #merge(run: Run, key: string, effect: EffectOf<'merge-task'>, signal: AbortSignal): Promise<RunEvent> {
    const { spec, loop, base } = poolOf(run)
    const { task, commit, accepted } = effect
    const merge = { task, commit, project: spec.project, base: base!.commit, hasWard: loop.ward !== null, accepted }
    return { type: 'task-merged', effect: key, task, outcome: await mergeTask(this.#outside, run, key, merge, signal) }
  }

  #write(run: Run): void {
    const running = this.#writing.get(run.id)
    if (running) {
      running.again = true
      return
    }
    const entry = { again: false, done: Promise.resolve() }
    this.#writing.set(run.id, entry)
    entry.done = this.#writeUntilCurrent(run, entry)
  }

  async #writeUntilCurrent(run: Run, entry: { again: boolean }): Promise<void> {
    do {
      // Many claims at once are one file.
      await delay(TOGETHER_MS, undefined, { signal: this.#outside.stopping }).catch(() => {})
      entry.again = false
      // Only for reading: a project that is gone or full must not stop the run.
      await projectTasks(this.#outside, run).catch(error =>
        this.#outside.log(`run ${run.id}: ${(error as Error).message}`),
      )
    } while (entry.again)
    this.#writing.delete(run.id)
  }

  /** What only a live pool needs. */
  async #leave(run: Run): Promise<void> {
    const { log, repository, environments, home } = this.#outside
    environments.forget(run.id)
    const path = join(home, 'worktrees', `${run.id}-planner`)
    await repository
      .removeWorktree({ repository: poolOf(run).spec.project, path })
      .catch(error => log(`run ${run.id}: ${(error as Error).message}`))
  }
}
