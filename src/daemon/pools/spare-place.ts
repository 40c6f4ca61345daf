import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { childId, TaskId } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import { upNext } from '../../core/pool/pool-moves.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import type { Run } from '../runtime/live-run.ts'
import { poolOf } from '../runtime/run-kinds.ts'
import { openAhead } from './workers.ts'

/**
 * The worktree of the task that comes next, made while every worker is busy: with dependencies to be copied it is what a free
 * worker waits for longest. Nothing of it is in a journal: whoever comes for it finds it, or makes it.
 */
export class SparePlaces {
  readonly #outside: ParentOutside
  /** By run: what is being made. */
  readonly #making = new Map<string, Promise<void>>()
  /** By run: what was made last, so that one that cannot be made is not tried again and again. */
  readonly #last = new Map<string, string>()

  constructor(outside: ParentOutside) {
    this.#outside = outside
  }

  /** After every event of a pool. */
  look(run: Run): void {
    const next = upNext(poolOf(run))
    if (next === null || this.#making.has(run.id) || this.#outside.runs.has(childId(run.id, next.task.id))) return
    const wanted = `${next.task.id} ${next.base}`
    if (this.#last.get(run.id) === wanted) return
    this.#last.set(run.id, wanted)
    const { log, stopping } = this.#outside
    const made = openAhead(this.#outside, run, next.task, next.base).catch((error: Error) => {
      // Whoever comes for it makes it, and says why it cannot be made.
      if (!stopping.aborted) log(`run ${run.id}: no place ahead for task ${next.task.id}: ${error.message}`)
    })
    this.#making.set(run.id, made)
    void made.then(() => {
      this.#making.delete(run.id)
      if (!stopping.aborted) this.look(run)
    })
  }

  /** The pool has ended: those for whom nobody came go. */
  async leave(run: Run): Promise<void> {
    await this.#making.get(run.id)
    this.#last.delete(run.id)
    const { home, runs, workplaces, directoryOf, log } = this.#outside
    const { spec } = poolOf(run)
    for (const name of await readdir(join(home, 'worktrees')).catch(() => [])) {
      const task = name.slice(run.id.length + 1)
      if (!name.startsWith(`${run.id}.`) || !TaskId.safeParse(task).success || runs.has(name)) continue
      // It was resumed meanwhile, and somebody may be on their way there.
      if (!ENDED.has(poolOf(run).status)) return
      const released = await workplaces.release({ run: run.id, task }, spec.project)
      if (released.removed) {
        // Again: git takes its time.
        if (runs.has(name) || !ENDED.has(poolOf(run).status)) return
        await rm(directoryOf(name), { recursive: true, force: true })
      } else log(`run ${run.id}: the worktree of task ${task} stays: ${released.why}`)
    }
  }
}
