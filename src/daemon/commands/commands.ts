import { randomBytes, randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { readConfigFiles } from '../../adapters/config-files.ts'
import type { ConfigValues } from '../../config/keys.ts'
import { requireConfig, resolveConfig } from '../../config/resolve.ts'
import type { ResumeRequest, SpawnAnswer, SpawnRequest } from '../../contract/api.ts'
import { parseDuration } from '../../contract/duration.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { SessionSpec } from '../../contract/event.ts'
import { rootOf } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import { splitEnvironment } from '../../core/environment.ts'
import { isDecided } from '../../core/loop/loop-state.ts'
import { hasWork } from '../../core/pool/queue.ts'
import { unheardMessages } from '../../core/quest/messages.ts'
import type { RunRecord } from '../../core/run/advance.ts'
import { type RunState, sessionOf } from '../../core/run/run-state.ts'
import { unheard } from '../../core/session/session-moves.ts'
import { WAITING_KEPT } from '../../core/session/session-state.ts'
import type { Texts } from '../../ports.ts'
import { anchorFor, loopSpecOf, refuseSecond } from '../loops/spawn-loop.ts'
import { worktreeFor } from '../loops/spawn-worktree.ts'
import { newestQueue, poolFor } from '../pools/spawn-pool.ts'
import { type QuestSpawning, questFor, requestFor } from '../quests/spawn-quest.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Runs } from '../runtime/runs.ts'
import type { Environments } from '../sessions/environments.ts'

/** What people ask for. Each becomes one event in a run's mailbox, or is refused there with a sentence. */
export class Commands {
  readonly #runs: Runs
  readonly #environments: Environments
  readonly #textsOf: (run: string) => Texts
  readonly #loops: QuestSpawning
  /** Loops are made one after the other: of two in one directory the second must see the first. */
  #makingLoop: Promise<unknown> = Promise.resolve()
  /** Requests that are being carried out, so that one that is sent again finds the first. */
  readonly #spawning = new Map<string, Promise<SpawnAnswer>>()

  constructor(runs: Runs, environments: Environments, textsOf: (run: string) => Texts, loops: QuestSpawning) {
    this.#runs = runs
    this.#loops = loops
    this.#environments = environments
    this.#textsOf = textsOf
  }

  async spawn(request: SpawnRequest): Promise<SpawnAnswer> {
    const known = this.#runs.all().find(run => run.record.state.request === request.request)
    if (known) return this.#spawnedAgain(known, request)
    const running = this.#spawning.get(request.request) ?? this.#spawn(request)
    this.#spawning.set(request.request, running)
    return running.finally(() => this.#spawning.delete(request.request))
  }

  async cancel(run: Run): Promise<void> {
    await run.post(record => {
      refuseEnded(record, 'cancel')
      return { type: 'cancel-requested' }
    })
  }

  async pause(run: Run): Promise<void> {
    await run.post(record => {
      refuseEnded(record, 'pause')
      const { status, id } = record.state
      if (status === 'paused')
        throw new RehoboamError('already', `run ${id} is paused already; rehoboam resume ${id} goes on`)
      return { type: 'pause-requested' }
    })
  }

  /** It ends after this iteration. */
  async reject(run: Run): Promise<void> {
    await run.post(record => {
      refuseEnded(record, 'reject')
      if (record.state.kind !== 'session') return { type: 'reject-requested' }
      throw new RehoboamError('usage', `run ${run.id} is no loop; rehoboam cancel ${run.id} ends it`)
    })
  }

  /** Kept, counted, and given to the model judge as an example. */
  async markWrong(run: Run, iteration: number, why: string): Promise<void> {
    const ref = await this.#textsOf(run.id).put(why)
    await run.post(({ state }) => {
      if (state.kind !== 'loop' || !isDecided(state, iteration)) {
        throw new RehoboamError(
          'usage',
          `run ${run.id} has no verdict on an iteration ${iteration}; rehoboam show ${run.id} lists them`,
        )
      }
      return { type: 'verdict-marked', iteration, why: ref }
    })
  }

  async tell(run: Run, text: string): Promise<void> {
    refuseEnded(run.record, 'tell')
    const ref = await this.#textsOf(run.id).put(text)
    await run.post(record => {
      refuseEnded(record, 'tell')
      if (waitingIn(record.state) >= WAITING_KEPT) {
        throw new RehoboamError(
          'already',
          `${WAITING_KEPT} messages wait for run ${run.id} already; it has heard none of them yet`,
        )
      }
      return { type: 'told', text: ref }
    })
  }

  resume(run: Run, request: ResumeRequest): Promise<void> {
    const { state } = run.record
    if (state.kind === 'session') return this.#resume(run, request)
    return this.#afterOtherLoops(async () => {
      await refuseSecond(this.#runs, state.loop.directory, rootOf(run.id))
      await this.#resume(run, request)
    })
  }

  async #resume(run: Run, request: ResumeRequest): Promise<void> {
    const environment = await this.#brought(run, request.environment)
    const noQuestions = request.noQuestions === true
    const text = request.text === null ? null : await this.#textsOf(run.id).put(request.text)
    await run.post(({ state }) => {
      if (state.status === 'active') throw new RehoboamError('already', `run ${state.id} is active; nothing to resume`)
      if (state.status === 'complete' && !text) {
        const next = `rehoboam resume ${state.id} "<what to do next>"`
        throw new RehoboamError('already', `run ${state.id} is complete; to go on with its session type ${next}`)
      }
      const kept = this.#environments.keep(run.id, environment)
      return { type: 'resume-requested', text, environment: kept, noQuestions }
    })
  }

  /** Goes on with a run's session in a pane. Nothing is done about one that is there, or is being ended right now. */
  async takeOver(run: Run, request: { environment: Record<string, string> }): Promise<void> {
    const environment = await this.#brought(run, request.environment)
    await run.post(({ state }) => {
      if (state.kind !== 'session') {
        const sentence = `only a single session can be taken over, and ${state.id} is a ${state.kind}; rehoboam logs -f ${state.id} follows it`
        throw new RehoboamError('no-pane', sentence)
      }
      if (state.turn.ending || (state.status === 'active' && state.spec.driver === 'pane')) return null
      const kept = this.#environments.keep(run.id, environment)
      return { type: 'resume-requested', text: null, environment: kept, into: 'pane' }
    })
  }

  /** A run was started so that nobody is asked: whatever asks ends its session. False where questions are wanted. */
  async turnAway(run: Run, asked: string): Promise<boolean> {
    const wanted = ({ state }: RunRecord) => !state.spec.noQuestions
    if (wanted(run.record)) return false
    const text = await this.#textsOf(run.id).put(asked)
    await run.post(record => (wanted(record) || isStopping(record) ? null : { type: 'question-asked', text }))
    return true
  }

  /** Only the user's own file: a project's file is read once, at the start, and an agent may have changed it since. */
  async #brought(run: Run, environment: Record<string, string>) {
    const files = await readConfigFiles(null, environment)
    const { project } = run.record.state.spec
    return split(environment, requireConfig(resolveConfig({ env: environment, cwd: project, ...files })))
  }

  /** The daemon that took it died before it answered, and the environment with it: the same request brings it again. */
  async #spawnedAgain(run: Run, request: SpawnRequest): Promise<SpawnAnswer> {
    const { config } = await configFor(request)
    await run.post(({ state }) => {
      if (ENDED.has(state.status)) return null
      const environment = this.#environments.keep(run.id, split(request.environment, config))
      return state.cause === 'needs-environment' ? { type: 'resume-requested', text: null, environment } : null
    })
    return { id: run.id, notes: [] }
  }

  #spawn(request: SpawnRequest): Promise<SpawnAnswer> {
    if (request.loop?.role === 'worker') return this.#join(request)
    return request.loop ? this.#afterOtherLoops(() => this.#make(request)) : this.#make(request)
  }

  /** A worker of its own joins the newest queue of its directory: it works there until no task is left. */
  async #join(request: SpawnRequest): Promise<SpawnAnswer> {
    const run = await newestQueue(this.#runs, request.directory)
    const { config, warnings } = await configFor(request)
    await run.post(({ state }) => {
      if (state.kind === 'pool' && state.joined.includes(request.request)) return null
      if (state.kind !== 'pool' || !hasWork(state)) {
        throw new RehoboamError(
          'task-none',
          `run ${run.id} has no task that is left; rehoboam task add "<what to do>" adds one`,
        )
      }
      const environment = this.#environments.keep(run.id, split(request.environment, config))
      const { noQuestions = false } = request
      return { type: 'resume-requested', text: null, environment, noQuestions, workers: 1, request: request.request }
    })
    return { id: run.id, notes: warnings }
  }

  #afterOtherLoops<T>(make: () => Promise<T>): Promise<T> {
    const made = this.#makingLoop.then(make)
    this.#makingLoop = made.catch(() => {})
    return made
  }

  async #make(request: SpawnRequest): Promise<SpawnAnswer> {
    const found = await stat(request.directory).catch(() => null)
    if (!found?.isDirectory()) {
      throw new RehoboamError('directory-missing', `${request.directory} is not a directory; --dir names the project`)
    }
    const { config, warnings } = await configFor(request)
    const text = await this.#promptOf(request)
    const id = await this.#freeId()
    const texts = this.#textsOf(id)
    const { project, ...kind } = await this.#kindOf(request, id, config, texts, text)
    const spec = { ...specOf(request, config), project }
    const environment = this.#environments.keep(id, split(request.environment, config))
    const prompt = await texts.put(text)
    const { request: token } = request
    await this.#runs.create(id, { type: 'run-created', run: id, request: token, spec, prompt, environment, ...kind })
    return { id, notes: [...warnings, ...notesOn(spec)] }
  }

  /** What the run is, and the directory that its sessions work in. */
  async #kindOf(request: SpawnRequest, id: string, config: ConfigValues, texts: Texts, text: string) {
    const { directory: project, quest, loop: asked } = request
    if (quest) {
      const quested = await questFor(this.#loops, id, request, quest, config, texts)
      return { kind: 'quest' as const, project, ...quested }
    }
    if (!asked) return { kind: 'session' as const, project }
    const looping = { ...request, loop: asked }
    const loop = await loopSpecOf(this.#loops, looping, config, texts, text)
    if (asked.role === 'planner') {
      const pooled = await poolFor(this.#loops, id, looping, config, texts, loop)
      return { kind: 'pool' as const, project, ...pooled }
    }
    if (!asked.worktree) return { kind: 'loop' as const, project, loop }
    const elsewhere = await worktreeFor(this.#loops, id, project)
    return { kind: 'loop' as const, project: elsewhere.project, loop: { ...loop, ...elsewhere.loop } }
  }

  async #promptOf(request: SpawnRequest): Promise<string> {
    if (request.quest) return requestFor(this.#loops, request, request.quest)
    if (request.loop) return anchorFor(this.#loops, request)
    if (request.prompt.trim()) return request.prompt
    throw new RehoboamError('usage', 'there is no prompt; give --prompt "<what to do>" or --prompt-file FILE')
  }

  async #freeId(): Promise<string> {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'
    for (;;) {
      const id = Array.from(randomBytes(8), byte => alphabet[byte % 36]).join('')
      if (!this.#runs.has(id)) return id
    }
  }
}

function isStopping({ state }: RunRecord): boolean {
  return state.status !== 'active' || sessionOf(state)?.turn.ending != null
}

function waitingIn(state: RunState): number {
  if (state.kind === 'quest') return unheardMessages(state)
  return state.kind === 'session' ? unheard(state).length : state.waiting.length
}

function refuseEnded({ state }: RunRecord, command: string): void {
  if (!ENDED.has(state.status)) return
  const next = command === 'tell' ? `; rehoboam resume ${state.id} "<text>" goes on with its session` : ''
  throw new RehoboamError('run-ended', `run ${state.id} has ended (${state.status})${next}`)
}

async function configFor({ directory, environment, flags }: SpawnRequest) {
  const files = await readConfigFiles(directory, environment)
  const resolved = resolveConfig({ flags, env: environment, cwd: directory, ...files })
  const config = requireConfig(resolved)
  return { config, warnings: resolved.problems.map(({ sentence }) => sentence) }
}

function split(environment: Record<string, string>, config: ConfigValues) {
  return splitEnvironment(environment, { keep: config['env.keep'], required: config['env.required'] })
}

function specOf(request: SpawnRequest, config: ConfigValues): SessionSpec {
  return {
    session: randomUUID(),
    project: request.directory,
    driver: config.driver,
    client: config.claude,
    model: config.model,
    permissionMode: config.permissionMode,
    allowedTools: [...config.allowedTools],
    arguments: request.arguments,
    directories: [],
    maxCostUsd: config.maxCostUsd,
    maxTimeMs: config.maxTime === null ? null : parseDuration(config.maxTime),
    backgroundGraceMs: config['session.backgroundGraceSec'] * 1000,
    endGraceMs: config['session.endGraceSec'] * 1000,
    crashRetries: config['session.crashRetries'],
    stuckAfterMs: config['session.stuckAfterSec'] * 1000,
    lineLimitBytes: config['session.lineLimitMb'] * 1_000_000,
    endsWithTurn: false,
    noQuestions: request.noQuestions === true,
  }
}

function notesOn(spec: SessionSpec): string[] {
  if (spec.permissionMode !== null || spec.allowedTools.length > 0) return []
  return [
    'the permission mode is the client\'s own: without a person it denies edits and commands; --permission-mode acceptEdits or --allowed-tools "Edit,Write,Bash(npm test *)" lets them through',
  ]
}
