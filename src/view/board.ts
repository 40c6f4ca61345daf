import type { AgentStatus, AgentSummary } from '../contract/agent.ts'
import type { InboxState, Question } from '../contract/question.ts'
import type { RunSummary } from '../contract/run.ts'
import type { Happening, WatchItem } from '../contract/watch.ts'
import { STATUS_ORDER } from './agent-words.ts'

// What a person may scroll back through; older happenings are in the history.
const HAPPENINGS_KEPT = 1_000
// As many as the daemon sends at first. A dashboard is left open for weeks; runs that ended long ago must not pile up in it.
const ENDED_KEPT = 500
const NO_QUESTIONS: InboxState = { questions: [], mutedUntil: null, bell: false }

/**
 * Everything that a dashboard shows, kept up to date by what the daemon sends. Each change costs what has changed, not
 * what there is: agents stand sorted within their status, and only the one that changed is put in its place.
 */
export class Board {
  readonly agents = new Map<string, AgentSummary>()
  readonly runs = new Map<string, RunSummary>()
  inbox: InboxState = NO_QUESTIONS
  happenings: Happening[] = []
  /** Happenings that were too many to be sent. */
  omitted = 0
  /** Since when nothing comes from the daemon, and why; null while it is there. */
  away: { since: number; why: string | null } | null = null
  /** Nothing has come yet. */
  isEmpty = true
  /** Grows with every change. */
  version = 0
  readonly #byStatus = new Map<AgentStatus, AgentSummary[]>(STATUS_ORDER.map(status => [status, []]))
  #sortedRuns: { version: number; runs: RunSummary[] } | null = null
  #runsVersion = 0
  #endedCount = 0

  take(item: WatchItem): void {
    this.version++
    this.away = null
    this.isEmpty = false
    if (item.type === 'all') this.#begin()
    else for (const session of item.left) this.#remove(session)
    for (const agent of item.agents) this.#put(agent)
    for (const run of item.runs) this.#putRun(run)
    // Not each time: to find the oldest costs what there is, not what has changed.
    if (this.#endedCount > ENDED_KEPT * 2) this.#forgetRuns()
    if (item.runs.length > 0 || item.type === 'all') this.#runsVersion++
    if (item.inbox) this.inbox = item.inbox
    if (item.type === 'changed') this.omitted += item.omitted
    if (item.happenings.length > 0) {
      this.happenings = [...this.happenings, ...item.happenings].slice(-HAPPENINGS_KEPT)
    }
  }

  /** Nothing is forgotten: what was last heard stays on the screen, with since when it is old. */
  lose(why: string | null, now: number): void {
    this.version++
    this.away = { since: this.away?.since ?? now, why }
  }

  count(status: AgentStatus): number {
    return this.#byStatus.get(status)?.length ?? 0
  }

  /** Those who need somebody: first who has waited longest. The others in the order in which they began. */
  withStatus(status: AgentStatus): readonly AgentSummary[] {
    return this.#byStatus.get(status) ?? []
  }

  allAgents(): AgentSummary[] {
    return STATUS_ORDER.flatMap(status => this.#byStatus.get(status) ?? [])
  }

  /** Runs that stand by themselves: what goes on first, the newest first. */
  rootRuns(): RunSummary[] {
    if (this.#sortedRuns?.version === this.#runsVersion) return this.#sortedRuns.runs
    const rank = ({ endedAt }: RunSummary) => (endedAt === null ? 0 : 1)
    const runs = [...this.runs.values()]
      .filter(({ parent }) => parent === null)
      .sort((a, b) => rank(a) - rank(b) || (a.startedAt < b.startedAt ? 1 : -1))
    this.#sortedRuns = { version: this.#runsVersion, runs }
    return runs
  }

  /** What was spent on everything that was started since then: runs, and sessions that belong to none. */
  spentSince(midnight: number): number {
    let usd = 0
    for (const run of this.runs.values()) {
      if (run.parent === null && Date.parse(run.startedAt) >= midnight) usd += run.costUsd
    }
    for (const agent of this.agents.values()) {
      if (agent.run === null && Date.parse(agent.startedAt) >= midnight) usd += agent.costUsd
    }
    return usd
  }

  /** The queue of all pools and quests that are not over. */
  tasks(): { total: number; complete: number; running: number; blocked: number } | null {
    const sum = { total: 0, complete: 0, running: 0, blocked: 0 }
    for (const { parent, endedAt, steps } of this.runs.values()) {
      if (parent !== null || endedAt !== null || !steps) continue
      sum.total += steps.total
      sum.complete += steps.complete
      sum.running += steps.running
      sum.blocked += steps.blocked
    }
    return sum.total > 0 ? sum : null
  }

  /** What a run or a child of it asks, as the inbox has it. */
  asking(run: string): Question[] {
    return this.inbox.questions.filter(({ run: of }) => of === run || of?.startsWith(`${run}.`))
  }

  teams(): string[] {
    const teams = new Set<string>()
    for (const { team } of this.agents.values()) if (team) teams.add(team)
    return [...teams]
  }

  /** A daemon that has come back tells everything anew: what it does not name is not there any more. */
  #begin(): void {
    this.agents.clear()
    this.runs.clear()
    this.#endedCount = 0
    this.happenings = []
    this.omitted = 0
    for (const group of this.#byStatus.values()) group.length = 0
  }

  #putRun(run: RunSummary): void {
    const wasEnded = typeof this.runs.get(run.id)?.endedAt === 'string'
    this.#endedCount += Number(run.endedAt !== null) - Number(wasEnded)
    this.runs.set(run.id, run)
  }

  #forgetRuns(): void {
    const ended = [...this.runs.values()].filter(({ endedAt }) => endedAt !== null)
    const oldest = ended.sort((a, b) => (a.endedAt! < b.endedAt! ? -1 : 1)).slice(0, -ENDED_KEPT)
    for (const { id } of oldest) this.runs.delete(id)
    this.#endedCount = ENDED_KEPT
  }

  #put(agent: AgentSummary): void {
    const before = this.agents.get(agent.session)
    this.agents.set(agent.session, agent)
    const group = this.#byStatus.get(agent.status)!
    if (before && before.status === agent.status && keyOf(before) === keyOf(agent)) {
      group[placeOf(group, keyOf(agent))] = agent
      return
    }
    if (before) this.#take(before)
    group.splice(placeOf(group, keyOf(agent)), 0, agent)
  }

  #remove(session: string): void {
    const agent = this.agents.get(session)
    if (agent) this.#take(agent)
    this.agents.delete(session)
  }

  #take(agent: AgentSummary): void {
    const group = this.#byStatus.get(agent.status)!
    group.splice(placeOf(group, keyOf(agent)), 1)
  }
}

function keyOf({ status, since, startedAt, session }: AgentSummary): string {
  return `${status === 'attention' ? (since ?? startedAt) : startedAt}${session}`
}

/** Where a key stands or would stand, by halving. */
function placeOf(group: AgentSummary[], key: string): number {
  let [from, to] = [0, group.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (keyOf(group[middle]!) < key) from = middle + 1
    else to = middle
  }
  return from
}
