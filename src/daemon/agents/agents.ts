import { stat } from 'node:fs/promises'
import { findTranscript } from '../../adapters/claude/claude-transcript.ts'
import type { RegisteredSession } from '../../adapters/claude/session-registry.ts'
import type { History } from '../../adapters/history/history.ts'
import { LineReader } from '../../adapters/line-reader.ts'
import { isAlive } from '../../adapters/process-table.ts'
import type { AgentSummary, Surroundings } from '../../contract/agent.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { HookEvent } from '../../contract/hook.ts'
import type { StreamLine } from '../../contract/stream.ts'
import { parseTranscriptLine, type TranscriptLine } from '../../contract/transcript.ts'
import { agentSummary } from '../../core/agent/agent-summary.ts'
import { type AgentFacts, newAgent } from '../../core/agent/facts.ts'
import { decided, hear } from '../../core/agent/hear.ts'
import { hearExit, hearStream } from '../../core/agent/hear-stream.ts'
import { lightEvent, lightLine, lightStreamLine } from '../../core/agent/light.ts'
import { type Course, forgotten, happenedAll, heard, isOvertaken, newCourse } from '../../core/agent/order.ts'
import type { Prices } from '../../core/agent/prices.ts'
import { toolWords } from '../../core/agent/tool-words.ts'
import { NOT_READ, type Reading, readLine } from '../../core/agent/witness.ts'
import type { Clock } from '../../ports.ts'
import { type AgentsListener, AgentsListeners } from './agents-listeners.ts'

type Known = {
  course: Course
  reading: Reading
  /** When the last line of its transcript was written. */
  readTo: number
  transcript: LineReader | null
  transcriptPath: string
  /** Its client is just being started and may replace the transcript. */
  isBeginning: boolean
  lookedAt: number
}

// A lost hook is repaired by the next look; looking at a thousand agents costs a thousandth of this.
const LOOK_EVERY_MS = 1_000
// One that has ended writes the rest of its transcript within moments. Then a look now and then is enough: all sessions
// of a loop's last hour are here, and to look at each of them every second would cost the one that works.
const SETTLED_AFTER_END_MS = 5_000
const LOOK_AT_ENDED_EVERY_MS = 10_000
/** Done and gone ones leave the lists after an hour; the history keeps them. */
const SHOWN_AFTER_END_MS = 3_600_000
// More than anybody runs, and few enough to look at each of them every second. Beyond it the one that was heard of longest
// ago is forgotten; should it speak again, it is known again.
const MOST_KNOWN = 3_000
// One line of a transcript holds one message, with pictures in it.
const LINE_LIMIT = 32_000_000
// Few enough to wait for, also while others are heard.
const LINES_AT_ONCE = 500

// A client's file may say any number; a date that cannot be written would take the whole list with it.
const LAST_MS = 253_402_300_799_999
const iso = (ms: number) => new Date(Math.min(Math.max(ms, 0), LAST_MS)).toISOString()

/** Every agent that we know of: by its hooks, because we started it, or because it was found. */
export class Agents {
  readonly #known = new Map<string, Known>()
  /** Sessions of ours that are nobody's agent: judges. */
  readonly #hidden = new Set<string>()
  readonly #clock: Clock
  readonly #prices: Prices
  readonly #history: History
  readonly #listeners = new AgentsListeners()
  #timer: NodeJS.Timeout | null = null
  #looking = false

  constructor(outside: {
    clock: Clock
    /** Of models, as the user's configuration has them. */
    prices: Prices
    history: History
  }) {
    this.#clock = outside.clock
    this.#prices = outside.prices
    this.#history = outside.history
  }

  listen(listener: AgentsListener): void {
    this.#listeners.add(listener)
  }

  /** Begins to look for what hooks do not say: transcripts that grow, processes that are gone. */
  watch(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_EVERY_MS)
  }

  hear(event: HookEvent, where: Surroundings, at: number): void {
    const kept = lightEvent(event, this.#know(event.session, at).course.facts)
    this.#change(event.session, at, facts => hear(facts, kept, where, at))
    this.note(event, at)
  }

  /** What an agent asked for has been decided: it goes on, and may work for an hour before it says so. */
  decided(event: Parameters<typeof decided>[1]): void {
    if (!this.#known.has(event.session)) return
    const kept = lightEvent(event, this.facts(event.session))
    this.#change(event.session, this.#clock.now(), facts => decided(facts, kept))
  }

  /** A session that works for us and is shown to nobody. */
  hide(session: string): void {
    this.#hidden.add(session)
    this.#known.delete(session)
  }

  /** One of our own, after a restart of ours. As long as nobody has told of a turn of it, it works since it was started. */
  ours(session: string, about: Pick<AgentFacts, 'run' | 'role' | 'cwd' | 'configDirectory'>, since: number): void {
    this.#know(session, since)
    this.#change(session, this.#clock.now(), facts => {
      const isUntold = !facts.turn.open && facts.turn.at === facts.startedAt
      return { ...facts, ...about, turn: isUntold ? { open: true, at: since } : facts.turn }
    })
  }

  inPane(session: string, pane: string | null): void {
    if (pane) this.#change(session, this.#clock.now(), facts => ({ ...facts, pane }))
  }

  /** A session that we start: known before it has said a word. */
  expect(session: string, about: Pick<AgentFacts, 'run' | 'role' | 'cwd' | 'configDirectory'>): void {
    const now = this.#clock.now()
    this.#change(session, now, facts => ({
      ...facts,
      ...about,
      end: null,
      vanishedAt: null,
      heard: false,
      turn: { open: true, at: now },
    }))
  }

  /**
   * Starts a session that has no message yet. Reads nothing of its transcript meanwhile, and the whole of it afterwards.
   * The client replaces a transcript without messages: reading both as one would skip messages or count them twice.
   */
  async begin(session: string, start: () => Promise<void>): Promise<void> {
    const known = this.#known.get(session)
    if (known) known.isBeginning = true
    try {
      await start()
    } finally {
      if (known) Object.assign(known, { isBeginning: false, transcriptPath: '' })
    }
  }

  started(session: string, pid: number): void {
    this.#change(session, this.#clock.now(), facts => ({ ...facts, pid: pid > 1 ? pid : facts.pid }))
  }

  stream(session: string, line: StreamLine): void {
    const now = this.#clock.now()
    const known = this.#known.get(session)?.course.facts
    if (!known || hearStream(known, line, now) === known) return
    const kept = lightStreamLine(line)
    this.#change(session, now, facts => hearStream(facts, kept, now))
  }

  exited(session: string, how: 'ended' | 'crashed' | 'stopped'): void {
    const now = this.#clock.now()
    if (this.#known.has(session)) this.#change(session, now, facts => hearExit(facts, how, now))
  }

  /** What the client notes about itself; a session that never said a word is found this way. */
  sighted(configDirectory: string, seen: RegisteredSession): void {
    const { pid, cwd, entrypoint, status, waitingFor, statusAt: at } = seen
    const before = this.#known.get(seen.session)?.course.facts
    if (before?.client?.at === at && before.client.status === status && before.pid === pid) return
    this.#know(seen.session, seen.startedAt || this.#clock.now())
    this.#change(seen.session, this.#clock.now(), facts => ({
      ...facts,
      pid,
      configDirectory,
      cwd: facts.cwd || cwd,
      entrypoint: facts.entrypoint ?? entrypoint,
      client: { status, waitingFor, at },
      heard: true,
      vanishedAt: null,
      updatedAt: Math.max(facts.updatedAt, at),
    }))
    if (before?.client?.status === 'waiting' && status !== 'waiting') this.#listeners.answered(seen.session, at)
  }

  facts(text: string): AgentFacts {
    const exact = this.#known.get(text)
    if (exact) return exact.course.facts
    const fitting = text ? this.all().filter(({ session }) => session.startsWith(text)) : []
    if (fitting.length === 1) return fitting[0]!
    if (fitting.length > 1)
      throw new RehoboamError('agent-ambiguous', `"${text}" fits ${fitting.length} agents; type more of the id`)
    throw new RehoboamError('agent-unknown', `there is no agent "${text}"; rehoboam agents lists them`)
  }

  all(): AgentFacts[] {
    return [...this.#known.values()].map(({ course }) => course.facts)
  }

  /** Its pane waits for its user before anything could be heard of it; null: not any more. */
  showsDialog(session: string, dialog: string | null): void {
    const known = this.#known.get(session)
    if (known && known.course.facts.dialog !== dialog)
      this.#change(session, this.#clock.now(), facts => ({ ...facts, dialog }))
  }

  /** When its last hook came, also before a restart of ours; 0 when none ever did. */
  async lastHookAt(session: string): Promise<number> {
    return this.#known.get(session)?.course.facts.hookAt ?? (await this.#history.of(session, 1)).at(-1)?.at ?? 0
  }

  /** False when something newer is known of it, and so old a hook can no longer take its place before that. */
  async isInTime(session: string, at: number): Promise<boolean> {
    const isOrdered = this.#known.get(session)?.course.facts.hookAt != null
    if (isOrdered && isOvertaken(at, this.#clock.now())) return true
    return (await this.lastHookAt(session)) <= at
  }

  /** Returns when the last look at its transcript began, also a failed look. What the client wrote later is not known yet. */
  lookedAt(session: string): number {
    return this.#known.get(session)?.lookedAt ?? 0
  }

  /** It got past its first screens: its note or its transcript shows so, where no hook does. */
  isWorkingSince(session: string, since: number): boolean {
    const facts = this.#known.get(session)?.course.facts
    return facts !== undefined && (facts.heard || (facts.witness?.at ?? 0) > since)
  }

  /** Where this agent's client keeps its files; empty when nobody has said. */
  configDirectoryOf(session: string): string {
    return this.#known.get(session)?.course.facts.configDirectory ?? ''
  }

  /** Where this agent began: what rules of a project are about. Its own directory changes as it works. */
  projectOf(session: string): string {
    return this.#known.get(session)?.course.facts.project ?? ''
  }

  has(session: string): boolean {
    return this.#known.has(session)
  }

  list(): AgentSummary[] {
    const now = this.#clock.now()
    const shown = this.all().filter(({ end, vanishedAt }) => now - (end?.at ?? vanishedAt ?? now) < SHOWN_AFTER_END_MS)
    return shown.map(facts => agentSummary(facts, now, iso))
  }

  summary(session: string): AgentSummary {
    return agentSummary(this.facts(session), this.#clock.now(), iso)
  }

  /** One look at every agent that may still live. */
  async look(): Promise<void> {
    if (this.#looking) return
    this.#looking = true
    try {
      for (const known of [...this.#known.values()]) await this.#lookAt(known).catch(unlessUnreadable)
    } finally {
      this.#looking = false
    }
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    for (const { transcript } of this.#known.values()) await transcript?.close()
  }

  async #lookAt(known: Known): Promise<void> {
    const { end: ended } = known.course.facts
    const now = this.#clock.now()
    const endedForMs = ended ? now - ended.at : 0
    if (endedForMs > SHOWN_AFTER_END_MS) return this.#forget(known)
    if (endedForMs > SETTLED_AFTER_END_MS && now - known.lookedAt < LOOK_AT_ENDED_EVERY_MS) return
    known.course = forgotten(known.course, now)
    try {
      await this.#readTranscript(known)
    } finally {
      known.lookedAt = now
    }
    const { session, pid, end, vanishedAt } = known.course.facts
    if (pid === null || end || vanishedAt !== null || isAlive(pid)) return
    const seenAt = this.#clock.now()
    this.#change(session, seenAt, facts => ({ ...facts, vanishedAt: seenAt }))
  }

  async #readTranscript(known: Known): Promise<void> {
    const path = known.course.facts.transcript || (await this.#transcriptOf(known))
    if (!path) return
    const size = await stat(path).then(
      found => found.size,
      () => 0,
    )
    if (size === 0 || known.isBeginning || (path === known.transcriptPath && size <= known.transcript!.position)) return
    if (path !== known.transcriptPath) {
      await known.transcript?.close()
      known.transcript = new LineReader(path, 0, LINE_LIMIT)
      known.transcriptPath = path
      known.readTo = 0
    }
    const reader = known.transcript!
    const lines: TranscriptLine[] = []
    try {
      for await (const { line } of reader.read({ rest: false })) {
        const parsed = line === null ? null : parseTranscriptLine(line)
        if (parsed && parsed.type !== 'other') lines.push(lightLine(parsed))
        if (lines.length === LINES_AT_ONCE) this.#readLines(known, lines.splice(0))
      }
    } finally {
      // Also when the rest cannot be read: it goes on behind these.
      if (lines.length > 0) this.#readLines(known, lines)
    }
    // An open file per agent would run out at a thousand of them.
    await reader.close()
  }

  /** Each line says when it was written: what hooks told of later times is newer, though it was heard before. */
  #readLines(known: Known, lines: TranscriptLine[]): void {
    const now = this.#clock.now()
    const changes = lines.map(line => {
      const { reading } = known
      // One that says no time was written after the one before it.
      const at = ('at' in line && line.at) || known.readTo || now
      known.readTo = Math.min(now, Math.max(known.readTo, at))
      known.reading = readLine(known.course.facts, reading, line, this.#prices).reading
      return { at: known.readTo, change: (facts: AgentFacts) => readLine(facts, reading, line, this.#prices).facts }
    })
    known.course = happenedAll(known.course, changes, now)
    this.#listeners.changed(known.course.facts.session)
  }

  /** One that was found has not told where its transcript is. */
  async #transcriptOf({ course: { facts } }: Known): Promise<string | null> {
    // One of ours is looked for even when the client keeps no note: its hooks may be disabled too.
    if (!facts.configDirectory || (!facts.client && facts.run === null)) return null
    const path = await findTranscript(facts.session, { CLAUDE_CONFIG_DIR: facts.configDirectory })
    if (path) this.#change(facts.session, this.#clock.now(), now => ({ ...now, transcript: path }))
    return path
  }

  async #forget(known: Known): Promise<void> {
    const { session } = known.course.facts
    this.#known.delete(session)
    this.#listeners.changed(session)
    await known.transcript?.close()
  }

  #change(session: string, at: number, change: (facts: AgentFacts) => AgentFacts): void {
    if (this.#hidden.has(session)) return
    const known = this.#know(session, at)
    known.course = heard(known.course, at, this.#clock.now(), change)
    // Set anew, they stand in the order in which they were heard of.
    this.#known.delete(session)
    this.#known.set(session, known)
    if (this.#known.size > MOST_KNOWN) void this.#forget(this.#known.values().next().value!)
    this.#listeners.changed(session)
  }

  /** As it is known, or as a new one since `at`. */
  #know(session: string, at: number): Known {
    const known = this.#known.get(session)
    if (known) return known
    const course = newCourse(newAgent(session, at))
    const unknown = {
      course,
      reading: NOT_READ,
      readTo: 0,
      transcript: null,
      transcriptPath: '',
      isBeginning: false,
      lookedAt: 0,
    }
    if (!this.#hidden.has(session)) this.#known.set(session, unknown)
    return unknown
  }

  /** For the history, and for those who look on. */
  note(event: HookEvent, at: number): void {
    const tool = 'tool' in event ? event.tool : ''
    const words = 'tool' in event ? toolWords(event.tool, event.input) : ''
    const ms = event.name === 'PostToolUse' ? event.durationMs : 0
    const name = event.name === 'other' ? event.event : event.name
    const failed = event.name === 'PostToolUseFailure'
    const entry = { at, session: event.session, agentId: event.agentId, name, tool, words, ms, failed }
    this.#history.add(entry)
    this.#listeners.noted(entry)
  }
}

/** A disk that cannot read one transcript now is asked again at the next look; the others are looked at all the same. */
function unlessUnreadable(error: NodeJS.ErrnoException): void {
  if (error.syscall === undefined) throw error
}
