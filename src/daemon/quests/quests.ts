import type { RunEvent } from '../../contract/event.ts'
import type { EffectOf, KeyedEffect } from '../../core/effect.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { RunQuestions } from '../inbox/run-questions.ts'
import { taskMerged } from '../merges/merge-task.ts'
import { tellChildren } from '../pools/tell-children.ts'
import type { Run } from '../runtime/run.ts'
import { Watched } from '../runtime/watched.ts'
import { WriteBehind } from '../runtime/write-behind.ts'
import { wardOn } from '../ward/check-commit.ts'
import { openQuest } from './open-quest.ts'
import { writeQuestFile } from './quest-file.ts'
import { type QuestOutside, questOf } from './quest-outside.ts'
import { questAsking } from './quest-questions.ts'
import { removeDisposables } from './role-place.ts'
import { runRole } from './role-session.ts'

/** Performs what concerns quests. Doing an effect a second time finds what the first time made. */
export class Quests {
  readonly #outside: QuestOutside
  readonly #watched: Watched
  /** quest.json, and its copy for people. */
  readonly #files: WriteBehind
  /** Checks of one quest share a worktree, so they are run one after the other. */
  readonly #lastCheck = new Map<string, Promise<unknown>>()

  constructor(outside: QuestOutside, inbox: Inbox) {
    this.#outside = outside
    this.#files = new WriteBehind(outside, run => writeQuestFile(outside, run))
    const questions = new RunQuestions(outside, inbox, questAsking(outside))
    this.#watched = new Watched({
      now: () => outside.now(),
      look: run => {
        questions.look(run)
        this.#files.soon(run)
      },
      leave: run => void this.#leave(run),
    })
  }

  recover(runs: Run[]): void {
    this.#watched.recover(runs.filter(run => run.record.state.kind === 'quest'))
  }

  async perform(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    this.watch(run)
    const outcome = await this.#do(run, key, effect)
    if (outcome) await this.#outside.postSurely(run, outcome)
  }

  watch(run: Run): void {
    this.#watched.watch(run)
  }

  /** Everything that was begun to be written is written. */
  settle(): Promise<void> {
    return this.#files.settle()
  }

  async #do(run: Run, key: string, effect: KeyedEffect['effect']): Promise<RunEvent | null> {
    switch (effect.do) {
      case 'open-quest':
        return openQuest(this.#outside, run, key)
      case 'run-role':
        return runRole(this.#outside, run, key, effect)
      case 'tell-children':
        return tellChildren(this.#outside, run, key, effect)
      case 'ward-step':
        return this.#inTurn(run, signal => this.#ward(run, key, effect, signal))
      case 'merge-task':
        return this.#inTurn(run, signal => taskMerged(this.#outside, run, key, { effect, of: questOf(run) }, signal))
      default:
        return null
    }
  }

  #inTurn(run: Run, check: (signal: AbortSignal) => Promise<RunEvent>): Promise<RunEvent | null> {
    const before = this.#lastCheck.get(run.id) ?? Promise.resolve()
    const done = before.then(() => this.#outside.wardTurns.take(run, check))
    this.#lastCheck.set(
      run.id,
      done.catch(() => {}),
    )
    return done
  }

  async #ward(run: Run, key: string, effect: EffectOf<'ward-step'>, signal: AbortSignal): Promise<RunEvent> {
    const { spec, base } = questOf(run)
    const { step, commit } = effect
    const { repository, workplaces } = this.#outside
    const tree = await repository.treeAt({ directory: spec.project, commit })
    const own = await workplaces.wardEnvironment(run.id)
    const on = { project: spec.project, commit, tree, base: base!.commit, own }
    return { type: 'step-warded', effect: key, step, outcome: await wardOn(this.#outside, run, key, on, signal) }
  }

  /** What only a live quest needs. */
  async #leave(run: Run): Promise<void> {
    this.#outside.environments.forget(run.id)
    this.#outside.wardTurns.cancel(run)
    await removeDisposables(this.#outside, run)
  }
}
