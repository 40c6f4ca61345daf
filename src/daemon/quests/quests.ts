import { setTimeout as delay } from 'node:timers/promises'
import type { RunEvent } from '../../contract/event.ts'
import { isChild, rootOf } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import type { EffectOf, KeyedEffect } from '../../core/effect.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { wardOn } from '../loops/ward.ts'
import { tellChildren } from '../pools/children.ts'
import type { Run } from '../runtime/run.ts'
import { mergeTask } from '../worktrees/merge-task.ts'
import { openQuest } from './open-quest.ts'
import { writeQuestFile } from './quest-file.ts'
import { type QuestOutside, questOf } from './quest-outside.ts'
import { QuestQuestions } from './quest-questions.ts'
import { placeEnvironment, removeDisposables } from './role-place.ts'
import { runRole } from './role-session.ts'

// Who reads the file sees no difference, and each writing reads all texts.
const TOGETHER_MS = 200

/** Performs what concerns quests. Doing an effect a second time finds what the first time made. */
export class Quests {
  readonly #outside: QuestOutside
  readonly #questions: QuestQuestions
  readonly #watched = new Set<string>()
  /** quest.json of a run is written by one at a time; `again`: once more, because something has changed since. */
  readonly #writing = new Map<string, { again: boolean; done: Promise<void> }>()
  /** Checks of one quest share a worktree, so they are run one after the other. */
  readonly #lastCheck = new Map<string, Promise<unknown>>()

  constructor(outside: QuestOutside, inbox: Inbox) {
    this.#outside = outside
    this.#questions = new QuestQuestions(outside, inbox)
  }

  /** After a restart: one that waits for a person has nothing to be done, and still asks. */
  recover(runs: Run[]): void {
    for (const run of runs) if (run.record.state.kind === 'quest') this.watch(run)
  }

  async perform(run: Run, { key, effect }: KeyedEffect): Promise<void> {
    this.watch(run)
    const outcome = await this.#do(run, key, effect)
    if (outcome) await this.#outside.postSurely(run, outcome)
  }

  /** What the place where a session of a quest works adds to its environment; null: it is not one. */
  async environmentOf(child: Run): Promise<Record<string, string> | null> {
    const { state } = child.record
    const run = this.#outside.runs.get(rootOf(child.id))
    if (state.kind !== 'session' || !isChild(child.id) || !run || state.label.step === undefined) return null
    return placeEnvironment(this.#outside, run, state.label.role, state.label.step)
  }

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
      case 'open-quest':
        return openQuest(this.#outside, run, key)
      case 'run-role':
        return runRole(this.#outside, run, key, effect)
      case 'tell-children':
        return tellChildren(this.#outside, run, key, effect)
      case 'ward-step':
        return this.#inTurn(run, signal => this.#ward(run, key, effect, signal))
      case 'merge-task':
        return this.#inTurn(run, signal => this.#merge(run, key, effect, signal))
      default:
        return null
    }
  }

  #inTurn(run: Run, check: (signal: AbortSignal) => Promise<RunEvent>): Promise<RunEvent | null> {
    const before = this.#lastCheck.get(run.id) ?? Promise.resolve()
    const done = before.then(() => this.#outside.wardInTurn(run, check))
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

  async #merge(run: Run, key: string, effect: EffectOf<'merge-task'>, signal: AbortSignal): Promise<RunEvent> {
    const { spec, loop, base } = questOf(run)
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
      await delay(TOGETHER_MS, undefined, { signal: this.#outside.stopping }).catch(() => {})
      entry.again = false
      // Only for reading: a project that is gone or full must not stop the run.
      await writeQuestFile(this.#outside, run).catch(error =>
        this.#outside.log(`run ${run.id}: ${(error as Error).message}`),
      )
    } while (entry.again)
    this.#writing.delete(run.id)
  }

  /** What only a live quest needs. */
  async #leave(run: Run): Promise<void> {
    this.#outside.environments.forget(run.id)
    this.#outside.endWards(run)
    await removeDisposables(this.#outside, run)
  }
}
