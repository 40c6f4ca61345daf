import { PassThrough, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Daemon } from '../src/client/ask.ts'
import type { AgentStatus, AgentSummary } from '../src/contract/agent.ts'
import type { WatchItem } from '../src/contract/watch.ts'
import { dashboard } from '../src/tui/dashboard.ts'

const BATCHES_PER_SECOND = 10
const STATUSES: AgentStatus[] = ['working', 'working', 'working', 'waiting', 'attention', 'background']

/** The dashboard on a terminal that only counts, before a daemon that only tells: so many agents, so many events a second. */
export function tuiStage(agents: number, eventsPerSecond: number) {
  const leaving = new AbortController()
  let writtenAt = 0
  let onWrite = () => {}
  const stdout = Object.assign(
    new Writable({
      write(_chunk, _encoding, done) {
        writtenAt = performance.now()
        onWrite()
        done()
      },
    }),
    { columns: 200, rows: 60, isTTY: true },
  )
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => {},
    unref: () => {},
  })
  let version = 0
  const batch = (): WatchItem => ({
    ...{
      type: 'changed',
      left: [],
      runs: [],
      inbox: null,
      omitted: Math.max(0, eventsPerSecond / BATCHES_PER_SECOND - 50),
    },
    agents: Array.from({ length: eventsPerSecond / BATCHES_PER_SECOND }, () => agentOf(version++ % agents, version)),
    happenings: Array.from({ length: Math.min(50, eventsPerSecond / BATCHES_PER_SECOND) }, (_, n) => ({
      ...{ kind: 'hook' as const, at: Date.now(), agent: agentOf(n, 0).session, subagent: '', name: 'PostToolUse' },
      ...{ tool: 'Bash', words: `Bash: npm test -- part-${version}`, ms: 900, failed: false },
    })),
  })
  async function* stream(signal: AbortSignal) {
    const all = {
      type: 'all',
      daemon: 'bench',
      agents: Array.from({ length: agents }, (_, n) => agentOf(n, 0)),
      runs: [],
    }
    yield said({ ...all, inbox: { questions: [], mutedUntil: null, bell: false }, happenings: [] } as WatchItem)
    while (!signal.aborted) {
      // One that tells nothing must cost nothing.
      await delay(eventsPerSecond > 0 ? 1000 / BATCHES_PER_SECOND : 1e9, undefined, { signal }).catch(() => {})
      if (eventsPerSecond > 0) yield said(batch())
    }
  }
  const daemon = {
    ready: async () => {},
    open: async (_path: string, signal: AbortSignal) => stream(AbortSignal.any([signal, leaving.signal])),
    comesBack: () => new Promise(() => {}),
  } as unknown as Daemon
  const face = {
    daemon,
    environment: {},
    directory: '/',
    colourBits: 8,
    isPlain: false,
    mayChange: () => {},
    ring: () => {},
  }
  const ended = dashboard(face, { stdin, stdout } as unknown as Parameters<typeof dashboard>[1])
  return {
    ended,
    /** Milliseconds from a key to what it changed on the screen. */
    async key(name: string): Promise<number> {
      const { promise, resolve } = Promise.withResolvers<void>()
      const from = performance.now()
      onWrite = () => resolve()
      stdin.write(name)
      await promise
      onWrite = () => {}
      return performance.now() - from
    },
    lastWrite: () => writtenAt,
    async leave() {
      stdin.write('q')
      await ended
      leaving.abort()
    },
  }
}

function said(item: WatchItem): string {
  return `id: 1\ndata: ${JSON.stringify(item)}\n\n`
}

function agentOf(n: number, version: number): AgentSummary {
  const session = `${String(n).padStart(8, '0')}-65b2-4816-8c93-d22a8334fab3`
  const at = new Date().toISOString()
  return {
    ...{ id: session, session, status: STATUSES[(n + Math.floor(version / 3000)) % STATUSES.length]!, unsure: null },
    ...{ reason: '', doing: `Bash: npm test -- part-${version}`, since: at, project: `/home/u/project-${n % 50}` },
    ...{ cwd: '/', pane: null, model: 'claude-opus-4-5', run: null, role: n % 3 ? null : 'worker', observedRole: null },
    ...{ tool: null, subagents: n % 4, tokens: version, contextTokens: 1, costUsd: n / 100, team: null },
    ...{ startedAt: '2026-11-16T10:00:00.000Z', updatedAt: at },
  }
}
