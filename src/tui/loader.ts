import { setTimeout as delay } from 'node:timers/promises'
import type { Daemon } from '../client/ask.ts'
import { followAgent, followRun } from '../client/follow.ts'
import type { AgentDetail, AgentLogItem } from '../contract/agent-detail.ts'
import type { DiffAnswer } from '../contract/checkpoint-api.ts'
import { RehoboamError } from '../contract/errors.ts'
import { cursorText } from '../contract/feed.ts'
import type { TaskView } from '../contract/pool.ts'
import type { RunDetail } from '../contract/run.ts'
import type { WardPlan } from '../contract/ward-plan.ts'
import type { Board } from '../view/board.ts'
import { type OutputLine, outputLines } from '../view/output-line.ts'
import { isDirectory } from './dialog.ts'
import type { Details } from './screen.ts'
import { planRequest, type SpawnForm } from './spawn-form.ts'
import { type View, viewKey } from './ui.ts'

// What a person scrolls back through; logs has all of it.
const LINES_KEPT = 2_000
// Going back to a run that was looked at shows it at once; a day of looking must not be kept.
const RUNS_KEPT = 20
// A page is asked for anew when what it is about has changed, but no more often than it could be read.
const AGAIN_AFTER_MS = 400
// Somebody who types a path would ask about each of its beginnings.
const TYPED_MS = 300

type Mutable = {
  runs: Map<string, RunDetail>
  agents: Map<string, AgentDetail>
  output: Map<string, OutputLine[]>
  diffs: Map<string, DiffAnswer>
  tasks: Map<string, TaskView[]>
}

/** Asks for what the board does not hold, for what is open now, and forgets it when something else is opened. */
export class Loader {
  readonly #held: Mutable = {
    runs: new Map(),
    agents: new Map(),
    output: new Map(),
    diffs: new Map(),
    tasks: new Map(),
  }
  readonly #daemon: Daemon
  readonly #environment: Record<string, string>
  readonly #changed: () => void
  #signal: AbortSignal = AbortSignal.abort()
  /** What is open, and ends with it. */
  #open: { key: string; stop: AbortController } | null = null
  /** What each page was last made from. */
  readonly #made = new Map<string, unknown>()
  readonly #busy = new Set<string>()
  #checksOf = ''
  #last: { view: View; board: Board } | null = null

  constructor(daemon: Daemon, environment: Record<string, string>, changed: () => void) {
    this.#daemon = daemon
    this.#environment = environment
    this.#changed = changed
  }

  get details(): Details {
    return this.#held
  }

  follow(signal: AbortSignal): void {
    this.#signal = signal
    signal.addEventListener('abort', () => this.#open?.stop.abort(), { once: true })
  }

  /** This is shown, and this is what is known. Cheap to call: it asks only when something is new. */
  look(view: View, board: Board): void {
    this.#last = { view, board }
    const shown = view.name === 'help' ? view.of : view
    const key = viewKey(shown)
    if (this.#open?.key !== key) this.#begin(key, shown)
    if (board.away) return
    if (shown.name === 'run') this.#refresh(key, board.runs.get(shown.id), () => this.#askRun(shown.id))
    else if (shown.name === 'agent') this.#refresh(key, board.agents.get(shown.id), () => this.#askAgent(shown.id))
    else if (shown.name === 'diff') this.#refresh(key, board.runs.get(shown.id), () => this.#askDiff(shown.id))
    else if (shown.name === 'tasks' || shown.name === 'search') {
      for (const id of this.#held.tasks.keys()) if (!board.runs.has(id)) this.#held.tasks.delete(id)
      for (const { id, kind, endedAt } of board.rootRuns()) {
        if (kind === 'pool' && (endedAt === null || !this.#held.tasks.has(id)))
          this.#refresh(`tasks ${id}`, board.runs.get(id), () => this.#askTasks(id))
      }
    }
  }

  /** What a run that is being described would be checked with, once nobody has typed for a moment. */
  lookForChecks(form: SpawnForm, found: (plan: SpawnForm['plan']) => void): void {
    const request = planRequest(form, this.#environment)
    const of = request && isDirectory(request.directory) ? JSON.stringify({ ...request, environment: 0 }) : ''
    if (of === this.#checksOf && form.plan !== null) return
    if (of === this.#checksOf && of !== '' && this.#busy.has(of)) return
    this.#checksOf = of
    if (!request || of === '') return
    this.#busy.add(of)
    const ask = async () => {
      await delay(TYPED_MS)
      if (this.#checksOf !== of) return
      const plan = await this.#daemon.ask<WardPlan>({ method: 'POST', path: '/v1/runs/ward', body: request }).then(
        answer => ({ of, found: answer, error: null }),
        (error: Error) => ({ of, found: null, error: error.message }),
      )
      if (this.#checksOf === of) found(plan)
    }
    void ask().finally(() => this.#busy.delete(of))
  }

  #begin(key: string, view: View): void {
    this.#open?.stop.abort()
    const stop = new AbortController()
    this.#open = { key, stop }
    for (const map of [this.#held.output, this.#held.diffs, this.#made]) map.clear()
    if (this.#signal.aborted) return
    if (view.name === 'agent') void this.#read(view.id, followAgent(this.#daemon, view.id, stop.signal), logLines)
  }

  /** Once for each state of what it is about, not more often than it can be read. */
  #refresh(key: string, state: unknown, ask: () => Promise<void>): void {
    if (this.#busy.has(key) || (this.#made.has(key) && this.#made.get(key) === state)) return
    this.#busy.add(key)
    this.#made.set(key, state)
    const asked = async () => {
      await ask().catch(error => {
        if (!(error instanceof RehoboamError)) throw error
        this.#made.delete(key)
      })
      this.#changed()
      await delay(AGAIN_AFTER_MS, undefined, { signal: this.#signal }).catch(() => {})
    }
    void asked().finally(() => {
      this.#busy.delete(key)
      // What has changed meanwhile was not asked for.
      if (this.#last && !this.#signal.aborted) this.look(this.#last.view, this.#last.board)
    })
  }

  async #askRun(id: string): Promise<void> {
    const run = await this.#daemon.askRunning<RunDetail>({ path: `/v1/runs/${encodeURIComponent(id)}` })
    this.#held.runs.delete(id)
    this.#held.runs.set(id, run)
    for (const old of [...this.#held.runs.keys()].slice(0, -RUNS_KEPT)) this.#held.runs.delete(old)
    const turn = run.turns.at(-1)
    const open = this.#open
    if (open?.key !== `run ${id}` || this.#held.output.has(id) || !turn) return
    // From the beginning of the newest turn: what was before may be a day of output.
    const from = cursorText({ seq: run.seq, turn: turn.turn, offset: 0 })
    void this.#read(id, followRun(this.#daemon, id, open.stop.signal, from), item => {
      return 'output' in item ? outputLines(item.output) : []
    })
  }

  async #askAgent(id: string): Promise<void> {
    const agent = await this.#daemon.askRunning<AgentDetail>({ path: `/v1/agents/${encodeURIComponent(id)}` })
    this.#held.agents.clear()
    this.#held.agents.set(id, agent)
  }

  async #askDiff(id: string): Promise<void> {
    const diff = await this.#daemon
      .askRunning<DiffAnswer>({ path: `/v1/runs/${encodeURIComponent(id)}/diff` })
      .catch((error: Error) => ({ from: '', to: '', iteration: 0, text: error.message, cut: false }))
    this.#held.diffs.set(id, diff)
  }

  async #askTasks(id: string): Promise<void> {
    const run = await this.#daemon.askRunning<RunDetail>({ path: `/v1/runs/${encodeURIComponent(id)}` })
    this.#held.tasks.set(id, run.pool?.tasks ?? [])
  }

  async #read<T>(id: string, items: AsyncGenerator<T>, linesOf: (item: T) => OutputLine[]): Promise<void> {
    const lines: OutputLine[] = []
    this.#held.output.set(id, lines)
    try {
      for await (const item of items) {
        const more = linesOf(item)
        if (more.length === 0) continue
        lines.push(...more)
        if (lines.length > LINES_KEPT * 1.5) lines.splice(0, lines.length - LINES_KEPT)
        this.#changed()
      }
    } catch (error) {
      if (!(error instanceof RehoboamError)) throw error
      lines.push({ tone: 'note', text: error.message })
      this.#changed()
    }
  }
}

function logLines(item: AgentLogItem): OutputLine[] {
  if ('prompt' in item) return [{ tone: 'note', text: `> ${item.prompt.trim()}` }]
  if ('interrupted' in item) return [{ tone: 'fail', text: 'interrupted by its user' }]
  return 'output' in item ? outputLines(item.output) : []
}
