import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoopRequest, SpawnAnswer } from '../../../src/contract/api.ts'
import { ENDED, type RunDetail } from '../../../src/contract/run.ts'
import { until } from '../../support/until.ts'
import type { Lives } from './lives.ts'
import { cutPower } from './power-cut.ts'
import type { Random } from './random.ts'
import { type Ended, endedTurns } from './replayed.ts'
import { kill, type World } from './world.ts'

export type Deed = 'tell' | 'pause' | 'resume' | 'cancel'
type Counts = Record<Deed, number>

/** A run that somebody wants: what was asked for, and what was acknowledged. */
export type Wanted = {
  request: string
  project: number
  id: string | null
  asked: Counts
  done: Counts
  /** Messages that were acknowledged. */
  told: string[]
}

export type Options = {
  power: boolean
  credentials: boolean
  runs: number
  steps: number
  /** What the run of a project is spawned with besides its prompt. */
  spawning?: (project: number) => { flags: Record<string, string>; loop?: LoopRequest }
  /** Whom else than daemons it meets, and how often. */
  victims?: { client: number; tmux: number; everything: number }
  /** Whose sessions can be told something while they run. */
  hears?: (project: number) => boolean
  /** What else than the state directory a power cut meets. */
  cutsToo?: (random: Random) => void
  finishWithinMs?: number
  /** How often a daemon dies by its plan. */
  kills?: number
  /** Most deaths come within so many calls instead of soon: where much happens long after a start. */
  later?: number
}

/** What happened at a power cut: how many questions the model had heard, and which turns had surely ended. */
export type Cut = { asked: number; ended: Ended }

// A busy machine takes its time; a run that hangs takes for ever.
const FINISH_WITHIN_MS = 300_000
const ASK_EVERY_MS = 40
// An empty state directory: nothing but the start itself can be cut off by those.
const CALLS_OF_A_START = 6

/** People at work while daemons die: chance decides who does what when. */
export class Story {
  readonly wanted: Wanted[]
  readonly cuts: Cut[] = []
  readonly #world: World
  readonly #lives: Lives
  readonly #random: Random
  readonly #options: Options
  #kills = 0

  constructor(world: World, lives: Lives, random: Random, options: Options) {
    this.#world = world
    this.#lives = lives
    this.#random = random
    this.#options = options
    this.wanted = Array.from({ length: options.runs }, (_, project) => ({
      request: randomUUID(),
      project,
      id: null,
      asked: { tell: 0, pause: 0, resume: 0, cancel: 0 },
      done: { tell: 0, pause: 0, resume: 0, cancel: 0 },
      told: [],
    }))
  }

  async run(): Promise<void> {
    await this.#begin()
    for (let n = 0; n < this.#options.steps; n++) await this.#step()
    await this.#finish()
  }

  async #step(): Promise<void> {
    if (!this.#lives.isAlive()) await this.#begin()
    const waiting = this.wanted.find(({ id }) => id === null)
    const wanted = this.#random.pick(this.wanted)
    const step = this.#random.weighted({
      spawn: waiting ? 30 : 0,
      tell: 2,
      pause: 1,
      resume: 2,
      cancel: 0.4,
      release: 3,
      progress: 6,
      kill: 1,
      power: this.#options.power ? 1.5 : 0,
      ...this.#options.victims,
    })
    this.#lives.note(`${step} ${wanted.id ?? wanted.project}`)
    switch (step) {
      case 'spawn':
        return this.#spawn(waiting!)
      case 'release':
        return void this.#world.model.release()
      case 'progress':
        return this.#progress()
      case 'kill':
        return this.#lives.kill()
      case 'power':
        return this.#powerCut()
      case 'client':
        return this.#killOne(this.#world.sessions())
      case 'tmux':
        return this.#killOne(this.#world.tmuxServers())
      case 'everything':
        return this.#killAll()
      case 'tell':
        return this.#options.hears?.(wanted.project) === false ? this.#progress() : this.#ask(wanted, 'tell')
      default:
        return this.#ask(wanted, step)
    }
  }

  /** Chance has had its say: from here on everybody wants an end. */
  async #finish(): Promise<void> {
    await until(
      async () => {
        this.#world.model.release()
        if (!this.#lives.isAlive()) await this.#begin()
        for (const wanted of this.wanted) {
          if (await this.#ended(wanted)) continue
          // Each question costs the daemon as much as it costs us.
          await delay(ASK_EVERY_MS)
          return false
        }
        return true
      },
      'every run to end',
      this.#options.finishWithinMs ?? FINISH_WITHIN_MS,
    )
    // The last one has only the files to go by, and nobody kills it.
    await this.#lives.kill()
    await this.#lives.begin({ killAt: 0, phase: 'before', part: 0 })
  }

  async #ended(wanted: Wanted): Promise<boolean> {
    if (wanted.id === null) await this.#spawn(wanted)
    if (wanted.id === null) return false
    const shown = await this.#lives.ask<RunDetail>('GET', `/v1/runs/${wanted.id}`)
    if (shown.is === 'lost') return false
    if (shown.is === 'refused')
      throw new Error(`run ${wanted.id} was acknowledged and is ${shown.code}: ${shown.sentence}`)
    if (shown.value.status === 'paused' || shown.value.status === 'blocked') await this.#ask(wanted, 'resume')
    return ENDED.has(shown.value.status)
  }

  async #begin(): Promise<void> {
    const random = this.#random
    // Most die soon: right after a start, and around the first writes of a run, is where the interesting moments are.
    const isFirst = this.#lives.count === 0
    const { kills = 6, later } = this.#options
    const late = later && random.chance(0.6) ? random.between(1, later) : null
    const soon = late ?? Math.ceil(Math.exp(random.next() * Math.log(isFirst ? 60 : 140)))
    const killAt = this.#kills < kills && random.chance(0.75) ? (isFirst ? CALLS_OF_A_START : 0) + soon : 0
    if (killAt) this.#kills += 1
    const phase = random.pick(['before', 'middle', 'after'] as const)
    this.#lives.note(`life ${this.#lives.count + 1}, killed at ${killAt} ${phase}`)
    await this.#lives.begin({ killAt, phase, part: random.next() })
  }

  async #spawn(wanted: Wanted): Promise<void> {
    const answer = await this.#lives.ask<SpawnAnswer>('POST', '/v1/runs', {
      request: wanted.request,
      prompt: `Do the work of project ${wanted.project}`,
      directory: this.#world.project(wanted.project),
      environment: this.#environment(),
      arguments: [],
      ...(this.#options.spawning?.(wanted.project) ?? { flags: { allowedTools: 'Bash' } }),
    })
    if (answer.is === 'refused') throw new Error(`spawn was refused: ${answer.sentence}`)
    if (answer.is === 'done') wanted.id = answer.value.id
  }

  async #ask(wanted: Wanted, deed: Deed): Promise<void> {
    if (wanted.id === null) return
    const text = `message ${wanted.project}-${wanted.asked.tell + wanted.asked.resume} ${randomUUID()}`
    const says = deed === 'tell' || (deed === 'resume' && this.#random.chance(0.5))
    const body =
      deed === 'tell'
        ? { text }
        : deed === 'resume'
          ? { text: says ? text : null, environment: this.#environment() }
          : undefined
    wanted.asked[deed] += 1
    const answer = await this.#lives.ask('POST', `/v1/runs/${wanted.id}/${deed}`, body)
    if (answer.is === 'refused' && answer.code !== 'already' && answer.code !== 'run-ended') {
      throw new Error(`${deed} was refused: ${answer.sentence}`)
    }
    if (answer.is !== 'done') return
    wanted.done[deed] += 1
    if (says) wanted.told.push(text)
  }

  /** Until somebody has asked the model or the daemon is dead: then the next thing happens in the middle of it. */
  async #progress(): Promise<void> {
    const before = this.#world.model.asked.length
    const deadline = performance.now() + 150
    const moved = () => this.#world.model.asked.length > before || !this.#lives.isAlive()
    await until(() => moved() || performance.now() > deadline, 'something to happen')
  }

  #killOne(pids: number[]): void {
    if (pids.length) kill(this.#random.pick(pids))
  }

  async #killAll(): Promise<void> {
    await this.#world.lightsOut()
    await until(() => !this.#lives.isAlive(), 'the daemon to be dead')
  }

  async #powerCut(): Promise<void> {
    await this.#killAll()
    await this.#world.quiet()
    this.#options.cutsToo?.(this.#random)
    cutPower(this.#world, this.#random)
    this.cuts.push({ asked: this.#world.model.asked.length, ended: endedTurns(this.#world) })
  }

  #environment(): Record<string, string> {
    return { ...this.#world.environment, ...(this.#options.credentials ? { ANTHROPIC_API_KEY: 'rehearsal-key' } : {}) }
  }
}
