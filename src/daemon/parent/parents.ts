import { isDirectory } from '../../adapters/is-directory.ts'
import type { RunEvent } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import type { EffectOf, KeyedEffect } from '../../core/effect.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { type Asking, RunQuestions } from '../inbox/run-questions.ts'
import { mergeTask } from '../merges/merge-task.ts'
import type { Run } from '../runtime/live-run.ts'
import { parentOf } from '../runtime/run-kinds.ts'
import { Watched } from '../runtime/watched.ts'
import { WriteBehind } from '../runtime/write-behind.ts'
import { wardOn } from '../ward/check-commit.ts'
import { openBranch } from './open-branch.ts'
import type { ParentOutside } from './parent-outside.ts'
import { type Children, runChild } from './run-child.ts'
import { tellChildren } from './tell-children.ts'

/** What differs between pools and quests. */
export type Family<W extends { id: string }> = {
  kind: 'pool' | 'quest'
  children: Children
  asking: Asking<W>
  /** Writes what people and agents read of it. */
  write(run: Run): Promise<unknown>
  /** Does what only this kind is asked for; null: nothing. */
  perform?(run: Run, effect: KeyedEffect): Promise<RunEvent | null>
  /** After every event. */
  look?(run: Run): void
  /** Removes what only a live run needs. */
  leave(run: Run): Promise<void>
}

/** Performs what concerns pools, or quests. Doing an effect a second time finds what the first time made. */
export class Parents<W extends { id: string } = { id: string }> {
  readonly #outside: ParentOutside
  readonly #family: Family<W>
  readonly #watched: Watched
  readonly #files: WriteBehind
  /** Checks of one run share a worktree, so they are run one after the other. */
  readonly #lastCheck = new Map<string, Promise<unknown>>()

  constructor(outside: ParentOutside, inbox: Inbox, family: Family<W>) {
    this.#outside = outside
    this.#family = family
    this.#files = new WriteBehind(outside, run => family.write(run))
    const questions = new RunQuestions(outside, inbox, family.asking)
    this.#watched = new Watched({
      now: () => outside.now(),
      look: run => {
        questions.look(run)
        this.#files.soon(run)
        family.look?.(run)
      },
      leave: run => {
        outside.environments.forget(run.id)
        outside.wardTurns.cancel(run)
        family.leave(run).catch(error => outside.log(`run ${run.id}: ${(error as Error).message}`))
      },
    })
  }

  recover(runs: Run[]): void {
    this.#watched.recover(runs.filter(run => run.record.state.kind === this.#family.kind))
  }

  async perform(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    // Whatever changes in it is written where people and agents look.
    this.#watched.watch(run)
    const outcome = await this.#do(run, key, effect)
    if (outcome) await this.#outside.postSurely(run, outcome)
  }

  /** Everything that was begun to be written is written. */
  settle(): Promise<void> {
    return this.#files.settle()
  }

  async #do(run: Run, key: string, effect: KeyedEffect['effect']): Promise<RunEvent | null> {
    switch (effect.do) {
      case 'open-branch':
        return openBranch(this.#outside, run, key)
      case 'run-child':
        return runChild(this.#outside, this.#family.children, run, key, effect)
      case 'tell-children':
        return tellChildren(this.#outside, run, key, effect)
      case 'run-ward':
        return this.#inTurn(run, signal => this.#ward(run, key, effect, signal))
      case 'merge-task':
        return this.#inTurn(run, signal => this.#merge(run, key, effect, signal))
      default:
        return this.#family.perform?.(run, { key, effect }) ?? null
    }
  }

  #inTurn(run: Run, check: (signal: AbortSignal) => Promise<RunEvent>): Promise<RunEvent | null> {
    const before = this.#lastCheck.get(run.id) ?? Promise.resolve()
    // A run that has ended meanwhile needs no check any more.
    const done = before.then(() =>
      ENDED.has(run.record.state.status) ? null : this.#outside.wardTurns.take(run, check),
    )
    this.#lastCheck.set(
      run.id,
      done.catch(() => {}),
    )
    return done
  }

  async #ward(run: Run, key: string, effect: EffectOf<'run-ward'>, signal: AbortSignal): Promise<RunEvent> {
    const { spec, base } = parentOf(run)
    const { iteration, step } = effect
    const commit = effect.commit!
    // Only the base can begin anew when the project is there again.
    if (step === undefined && !(await isDirectory(spec.project))) return { type: 'project-not-found', effect: key }
    const { repository, workplaces } = this.#outside
    const tree = effect.tree ?? (await repository.treeAt({ directory: spec.project, commit }))
    const own = await workplaces.wardEnvironment(run.id)
    const on = { project: spec.project, commit, tree, base: base!.commit, own }
    const outcome = await wardOn(this.#outside, run, key, on, signal)
    return { type: 'warded', effect: key, iteration, step, outcome }
  }

  async #merge(run: Run, key: string, effect: EffectOf<'merge-task'>, signal: AbortSignal): Promise<RunEvent> {
    const { spec, loop, base } = parentOf(run)
    const { task, commit, accepted } = effect
    const merge = { task, commit, project: spec.project, base: base!.commit, hasWard: loop.ward !== null, accepted }
    return { type: 'task-merged', effect: key, task, outcome: await mergeTask(this.#outside, run, key, merge, signal) }
  }
}
