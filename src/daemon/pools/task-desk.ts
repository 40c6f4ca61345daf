import { appendFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import { rootOf } from '../../contract/ids.ts'
import type { TaskView } from '../../contract/pool.ts'
import type { TaskRequest } from '../../contract/task-api.ts'
import { oneLine } from '../../core/plain-text.ts'
import type { PoolRun, PoolTask } from '../../core/pool/pool-state.ts'
import { taskView } from '../../core/pool/pool-view.ts'
import { mayClaim, mayFinish, mayRelease, nextFree, taskNamed } from '../../core/pool/queue.ts'
import type { RunRecord } from '../../core/run/advance.ts'
import type { Texts } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Runs } from '../runtime/runs.ts'
import { newestQueue } from './spawn-pool.ts'
import { proposed, titles } from './tasks.ts'

type Outside = { runs: Runs; textsOf(run: string): Texts }

/** Tasks by hand: a person's on any of them, an agent's on its own. Every claim is decided in the run's mailbox, one after the other. */
export class TaskDesk {
  readonly #outside: Outside

  constructor(outside: Outside) {
    this.#outside = outside
  }

  async list(request: TaskRequest): Promise<{ run: string; tasks: TaskView[] }> {
    const run = await this.#queue(request)
    return { run: run.id, tasks: await this.#views(run, poolIn(run.record).tasks) }
  }

  async add(request: TaskRequest, session: string | null): Promise<TaskView> {
    const run = await this.#queue(request)
    if (session !== null && this.#ownRun(session).id !== `${run.id}.planner`) throw notYours('add tasks')
    const texts = this.#outside.textsOf(run.id)
    const task = await proposed(poolIn(run.record), texts, request.task, request.text ?? '')
    await run.post(() => ({ type: 'tasks-added', added: [task] }))
    return this.#view(run, task.id)
  }

  /** The one that is named, or the next that is free. */
  async claim(request: TaskRequest, session: string | null): Promise<TaskView> {
    if (session !== null) throw notYours('claim a task')
    const run = await this.#queue(request)
    let id = ''
    await run.post(record => {
      const state = poolIn(record)
      const task = request.task === null ? nextFree(state) : taskNamed(state, request.task)
      mayClaim(state, task)
      id = task.id
      return { type: 'task-claimed', task: id, by: 'person' }
    })
    return this.#view(run, id)
  }

  async release(request: TaskRequest, session: string | null): Promise<TaskView> {
    const run = await this.#queue(request)
    const id = this.#named(request, session)
    if (session !== null) {
      // Its own: the worker is ended, and somebody else may try.
      await this.#ownRun(session).post(() => ({ type: 'reject-requested' }))
      return this.#view(run, id)
    }
    await run.post(record => {
      const state = poolIn(record)
      const task = taskNamed(state, id)
      mayRelease(state, task)
      return { type: 'task-released', task: task.id }
    })
    return this.#view(run, id)
  }

  /** From an agent it is a claim like its stop word: what it did is merged and checked first. */
  async done(request: TaskRequest, session: string | null): Promise<TaskView> {
    const run = await this.#queue(request)
    const id = this.#named(request, session)
    if (session !== null) {
      const { state } = this.#ownRun(session).record
      if (state.kind === 'loop')
        await appendFile(join(state.loop.directory, 'progress.md'), `\n${state.loop.stopWord}\n`)
      return this.#view(run, id)
    }
    await run.post(record => {
      const state = poolIn(record)
      const task = taskNamed(state, id)
      mayFinish(state, task)
      return { type: 'task-done', task: task.id, by: 'person' }
    })
    return this.#view(run, id)
  }

  /** An agent's own, by its session; a person names theirs. */
  #named(request: TaskRequest, session: string | null): string {
    if (session === null) {
      if (request.task !== null) return request.task
      throw new RehoboamError('usage', 'which task? rehoboam task list shows them')
    }
    const { state } = this.#ownRun(session).record
    if (state.kind === 'loop') mustBeIts(state.id, state.loop.directory, request.loopDirectory)
    const own = state.kind === 'loop' ? state.loop.task?.id : undefined
    if (own === undefined || (request.task !== null && request.task.toLowerCase() !== own.toLowerCase()))
      throw notYours('change this task')
    return own
  }

  #ownRun(session: string): Run {
    const run = this.#outside.runs.findBySession(session)
    if (run) return run
    throw new RehoboamError('token-refused', 'the run of this session is gone')
  }

  async #queue({ run: id, directory }: TaskRequest): Promise<Run> {
    if (id === null) return newestQueue(this.#outside.runs, directory)
    const run = this.#outside.runs.find(rootOf(id))
    poolIn(run.record)
    return run
  }

  async #view(run: Run, id: string): Promise<TaskView> {
    const task = taskNamed(poolIn(run.record), id)
    return (await this.#views(run, [task]))[0]!
  }

  async #views(run: Run, tasks: PoolTask[]): Promise<TaskView[]> {
    const state = poolIn(run.record)
    const words = await titles(tasks, this.#outside.textsOf(run.id))
    return tasks.map((task, n) => ({ ...taskView(state, task), title: words[n]! }))
  }
}

function poolIn({ state }: RunRecord): PoolRun {
  if (state.kind === 'pool') return state
  throw new RehoboamError('usage', `run ${state.id} is a ${state.kind} and has no tasks; a pool has them`)
}

/** An agent that looks at another directory than its own takes somebody else's task and progress for its own. */
function mustBeIts(run: string, directory: string, named: string | null): void {
  if (named === null || resolve(named) === directory) return
  const words = oneLine(named, 200)
  const sentence = `REHOBOAM_LOOP_DIR names ${JSON.stringify(words)}, which is not the loop directory of ${run}; nothing was changed; it is ${directory}`
  throw new RehoboamError('loop-directory-wrong', sentence)
}

function notYours(what: string): RehoboamError {
  return new RehoboamError('inside-agent', `an agent may not ${what}; with its own task it may say done or release`)
}
