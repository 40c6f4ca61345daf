import { PassThrough, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Daemon } from '../src/client/ask.ts'
import type { AgentStatus, AgentSummary } from '../src/contract/agent.ts'
import type { RunSummary } from '../src/contract/run.ts'
import type { WatchItem } from '../src/contract/watch.ts'
import { dashboard } from '../src/tui/dashboard.ts'
import { details, question, run } from '../test/tui/stage.ts'

const BATCHES_PER_SECOND = 10
const STATUSES: AgentStatus[] = ['working', 'working', 'working', 'waiting', 'attention', 'background']
// A run lives for so many batches: ten begin and ten end each second.
const RUN_LIVES = 50

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
  const perBatch = eventsPerSecond / BATCHES_PER_SECOND
  let version = 0
  let batches = 0
  /** With every batch somebody comes and somebody goes, a run begins and one ends, something is asked and something is not. */
  const batch = (): WatchItem => {
    batches++
    return {
      type: 'changed',
      agents: Array.from({ length: perBatch }, () => agentOf(batches + (version++ % agents), version)),
      left: [agentOf(batches - 1, 0).session],
      runs: [runOf(batches, false), ...(batches > RUN_LIVES ? [runOf(batches - RUN_LIVES, true)] : [])],
      inbox: {
        questions: [0, 1, 2].map(n => question(batches + n, { agent: agentOf(batches + n, 0).session })),
        mutedUntil: null,
        bell: true,
      },
      happenings: Array.from({ length: Math.min(50, perBatch) }, (_, n) => ({
        ...{ kind: 'hook', at: Date.now(), agent: agentOf(batches + n, 0).session, subagent: '', name: 'PostToolUse' },
        ...{ tool: 'Bash', words: `Bash: npm test -- part-${version}`, ms: 900, failed: false },
      })),
      omitted: Math.max(0, perBatch - 50),
    }
  }
  async function* watched(signal: AbortSignal) {
    yield said({
      ...{ type: 'all', daemon: 'bench', runs: [], happenings: [] },
      agents: Array.from({ length: agents }, (_, n) => agentOf(n, 0)),
      inbox: { questions: [], mutedUntil: null, bell: false },
    })
    while (!signal.aborted) {
      await delay(1000 / BATCHES_PER_SECOND, undefined, { signal }).catch(() => {})
      yield said(batch())
    }
  }
  /** What an agent says, for those who look at one. */
  async function* spoken(signal: AbortSignal) {
    while (!signal.aborted) {
      await delay(1000 / BATCHES_PER_SECOND, undefined, { signal }).catch(() => {})
      yield said({ prompt: `line ${version} of what somebody wants` })
    }
  }
  const [known] = details().agents.values()
  const daemon = {
    ready: async () => {},
    open: async (path: string, signal: AbortSignal) => {
      const ended = AbortSignal.any([signal, leaving.signal])
      return path === '/v1/watch' ? watched(ended) : spoken(ended)
    },
    askRunning: async () => known,
    comesBack: () => new Promise(() => {}),
  } as unknown as Daemon
  const face = {
    daemon,
    environment: {},
    directory: '/',
    colourBits: 8,
    isPlain: false,
    mayChange: () => {},
    editPlan: async () => false,
    ring: () => {},
  }
  const ended = dashboard(face, { stdin, stdout } as unknown as Parameters<typeof dashboard>[1])
  return {
    ended,
    press: (keys: string) => void stdin.write(keys),
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
    eventsSent: () => version,
    async leave() {
      stdin.write('q')
      await ended
      leaving.abort()
    },
  }
}

function said(item: unknown): string {
  return `id: 1\ndata: ${JSON.stringify(item)}\n\n`
}

function runOf(n: number, isOver: boolean): RunSummary {
  const at = new Date().toISOString()
  return run(`r${String(n).padStart(7, '0')}`, {
    startedAt: at,
    ...(isOver ? { status: 'complete', endedAt: at } : {}),
  })
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
