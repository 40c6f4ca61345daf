import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { claudeHeadless } from '../../src/adapters/claude/headless.ts'
import type { SessionStart } from '../../src/ports.ts'
import type { Bench } from '../support/real-client.ts'

export type QuestTurn = {
  bench: Bench
  client: string
  session?: string
  token: string
  port: number
  prompt: string
  spec?: Partial<SessionStart['spec']>
}

/** One turn of a quest's session, by the driver that the daemon uses, to its end. */
export async function questTurn({ bench, client, session = randomUUID(), token, port, prompt, spec }: QuestTurn) {
  const { home, cwd, env } = bench.home
  const place = { directory: join(home, 'turns', randomUUID()), session }
  await claudeHeadless.start({
    place,
    spec: { ...SPEC, session, project: cwd, client, questTools: true, ...spec },
    maxCostUsd: null,
    environment: { ...env(bench.model.url), REHOBOAM_TOKEN: token },
    prompt,
    resume: false,
    hooks: { port: null, command: 'true' },
    toolsPort: port,
  })
  const lines: Record<string, unknown>[] = []
  await claudeHeadless.follow(place, {
    from: 0,
    lineLimitBytes: 1_000_000,
    onStarted: () => {},
    onLine: line => void lines.push(JSON.parse(line ?? '{}')),
    signal: AbortSignal.timeout(600_000),
  })
  return { place, lines }
}

const SPEC: Omit<SessionStart['spec'], 'session' | 'project' | 'client'> = {
  driver: 'headless',
  model: null,
  permissionMode: null,
  allowedTools: [],
  arguments: [],
  directories: [],
  maxCostUsd: null,
  maxTimeMs: null,
  backgroundGraceMs: 0,
  endGraceMs: 1000,
  crashRetries: 0,
  stuckAfterMs: 600_000,
  lineLimitBytes: 1_000_000,
  endsWithTurn: false,
  noQuestions: false,
}
