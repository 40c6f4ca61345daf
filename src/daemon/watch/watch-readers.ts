import { setTimeout as delay } from 'node:timers/promises'
import type { History } from '../../adapters/history/history.ts'
import type { HistoryEntry } from '../../adapters/history/history-store.ts'
import type { InboxState } from '../../contract/question.ts'
import { ENDED } from '../../contract/run.ts'
import type { Happening, WatchItem } from '../../contract/watch.ts'
import type { Agents } from '../agents/agents.ts'
import { type Inbox, shownQuestion } from '../inbox/inbox.ts'
import type { Notices } from '../notices/notices.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Runs } from '../runtime/runs.ts'
import { summary } from './show.ts'

// A person sees a fifth of a second as at once, and a flood of events becomes a few messages.
const BATCH_MS = 100
// What changes by time alone (a client that has rested for a while, an agent that leaves the lists) is looked for.
const LOOK_EVERY_MS = 1_000
const HAPPENINGS_PER_BATCH = 50
const HAPPENINGS_AT_FIRST = 200
// Everything that goes on, and of what has ended the newest: more than anybody scrolls through.
const ENDED_RUNS_SHOWN = 500

/** What a reader is shown. */
type WatchedHouse = {
  registration: { id: string }
  agents: Agents
  runs: Runs
  inbox: Inbox
  history: History
  notices: Notices
  /** Whether terminals that follow the inbox ring. */
  bell: boolean
}

/** What has changed since somebody who watches was last sent something. Bounded, however slowly they read. */
type Reader = {
  agents: Set<string>
  runs: Map<string, Run>
  /** A question was opened or closed. */
  inbox: boolean
  happenings: Happening[]
  omitted: number
  wake: () => void
}

/** Who watches everything, and what they have to be told. Costs nothing while nobody does. */
export class Watch {
  readonly #readers = new Set<Reader>()

  agent(session: string): void {
    for (const reader of this.#readers) {
      reader.agents.add(session)
      reader.wake()
    }
  }

  inbox(): void {
    for (const reader of this.#readers) {
      reader.inbox = true
      reader.wake()
    }
  }

  /** After an event of a run. */
  run(run: Run): void {
    for (const reader of this.#readers) {
      reader.runs.set(run.id, run)
      reader.wake()
    }
  }

  happened(happening: Happening): void {
    for (const reader of this.#readers) {
      reader.happenings.push(happening)
      if (reader.happenings.length > HAPPENINGS_PER_BATCH) {
        reader.happenings.shift()
        reader.omitted++
      }
    }
  }

  /** Everything, and then what changes, until the reader leaves. */
  async *read(house: WatchedHouse, signal: AbortSignal): AsyncGenerator<WatchItem & { cursor: string }> {
    const reader: Reader = {
      ...{ agents: new Set(), runs: new Map(), inbox: false, happenings: [], omitted: 0 },
      wake: () => {},
    }
    this.#readers.add(reader)
    try {
      const sent = new Sent(house)
      yield { cursor: '0', ...(await sent.all()) }
      let lookedAt = performance.now()
      for (let n = 1; ; n++) {
        await news(reader, signal)
        if (signal.aborted) return
        const isTimeToLook = performance.now() - lookedAt >= LOOK_EVERY_MS
        if (isTimeToLook) lookedAt = performance.now()
        const item = await sent.changes(reader, isTimeToLook)
        if (item) yield { cursor: String(n), ...item }
        await delay(BATCH_MS, undefined, { signal }).catch(() => {})
      }
    } finally {
      this.#readers.delete(reader)
    }
  }
}

/** Resolves when there is something to tell, or when it is time to look. */
async function news(reader: Reader, signal: AbortSignal): Promise<void> {
  if (reader.agents.size > 0 || reader.runs.size > 0 || reader.inbox || reader.happenings.length > 0) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, LOOK_EVERY_MS)
  reader.wake = resolve
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  reader.wake = () => {}
  clearTimeout(timer)
}

/** What one reader has been sent, so that only what differs is sent again. */
class Sent {
  readonly #house: WatchedHouse
  readonly #agents = new Map<string, string>()
  readonly #runs = new Map<string, number>()
  #inbox = ''

  constructor(house: WatchedHouse) {
    this.#house = house
  }

  async all(): Promise<WatchItem> {
    const { agents, runs, history, registration } = this.#house
    // First: what is waited for here must not come between the parts of one picture.
    const happenings = (await history.of(null, HAPPENINGS_AT_FIRST)).map(hookHappening)
    const inbox = this.#inboxState()
    this.#inbox = JSON.stringify(inbox)
    const list = agents.list()
    for (const agent of list) this.#differs(agent)
    const shown = shownRuns(runs.all())
    for (const run of shown) this.#runs.set(run.id, run.record.seq)
    return { type: 'all', daemon: registration.id, agents: list, runs: shown.map(summary), inbox, happenings }
  }

  async changes(reader: Reader, isTimeToLook: boolean): Promise<WatchItem | null> {
    const { happenings, omitted } = reader
    const touched = [...reader.agents]
    const runs = [...reader.runs.values()]
    reader.agents.clear()
    reader.runs.clear()
    reader.inbox = false
    reader.happenings = []
    reader.omitted = 0
    const { agents, left } = isTimeToLook ? this.#allAgents() : this.#agentsAmong(touched)
    const told = (await Promise.all(runs.map(run => this.#eventsOf(run)))).flat()
    const inbox = this.#inboxState()
    const words = JSON.stringify(inbox)
    const isNewInbox = words !== this.#inbox
    this.#inbox = words
    if (agents.length + left.length + runs.length + happenings.length === 0 && !isNewInbox) return null
    const all = [...told, ...happenings].sort((a, b) => a.at - b.at)
    return {
      type: 'changed',
      agents,
      left,
      runs: runs.map(summary),
      inbox: isNewInbox ? inbox : null,
      happenings: all,
      omitted,
    }
  }

  #agentsAmong(sessions: string[]) {
    const { agents } = this.#house
    const changed = sessions.filter(session => agents.has(session)).map(session => agents.summary(session))
    return { agents: changed.filter(agent => this.#differs(agent)), left: [] }
  }

  #allAgents() {
    const list = this.#house.agents.list()
    const here = new Set(list.map(({ session }) => session))
    const left = [...this.#agents.keys()].filter(session => !here.has(session))
    for (const session of left) this.#agents.delete(session)
    return { agents: list.filter(agent => this.#differs(agent)), left }
  }

  /** The age of a reason is the reader's own affair. */
  #differs<A extends { session: string; reason: string }>(agent: A): boolean {
    const words = JSON.stringify({ ...agent, reason: '' })
    if (this.#agents.get(agent.session) === words) return false
    this.#agents.set(agent.session, words)
    return true
  }

  async #eventsOf(run: Run): Promise<Happening[]> {
    const after = this.#runs.get(run.id) ?? 0
    this.#runs.set(run.id, run.record.seq)
    const events = await run.eventsAfter(after)
    return events.slice(-HAPPENINGS_PER_BATCH).map(event => ({ kind: 'run', at: event.at, run: run.id, event }))
  }

  #inboxState(): InboxState {
    const { inbox, notices, bell } = this.#house
    return { questions: inbox.list().map(shownQuestion), mutedUntil: notices.mutedUntil(), bell }
  }
}

function shownRuns(runs: Run[]): Run[] {
  const ended = runs.filter(({ record }) => ENDED.has(record.state.status))
  const newest = ended.sort((a, b) => b.record.at - a.record.at).slice(0, ENDED_RUNS_SHOWN)
  return [...runs.filter(({ record }) => !ENDED.has(record.state.status)), ...newest]
}

export function hookHappening(entry: HistoryEntry): Happening {
  const { session: agent, agentId: subagent, ...rest } = entry
  return { kind: 'hook', agent, subagent, ...rest }
}
