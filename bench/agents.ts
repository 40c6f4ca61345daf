import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requestSocket, textOf } from '../src/client/socket.ts'
import type { AgentSummary, Surroundings } from '../src/contract/agent.ts'
import { type TempHome, tempHome } from '../test/support/temp-home.ts'
import { until } from '../test/support/until.ts'
import { type Measure, median, rounded, timed } from './statistics.ts'

const AGENTS = 1_000
const TOOLS_EACH = 10
const TURNS_READ = 10

/** A thousand sessions that live: what they cost the daemon, and how long it takes to see them. */
export async function agentsBench(): Promise<Measure[]> {
  await using home = await tempHome()
  await home.daemon.ready()
  for (let from = 0; from < AGENTS; from += 20) {
    await Promise.all(Array.from({ length: 20 }, (_, n) => live(home, from + n)))
  }
  await until(() => allRead(home), 'every transcript to be read', 60_000)
  const tookMs: number[] = []
  for (let n = 0; n < 15; n++) tookMs.push(await timed(() => list(home)))
  const mb = rounded(residentKb(home.daemonPid()!) / 1000)
  const name = `${AGENTS} live agents`
  return [
    { name, what: 'what the daemon holds of memory', is: mb, unit: 'MB', under: 150 },
    { name, what: 'rehoboam agents, median of 15', is: rounded(median(tookMs)), unit: 'ms', under: 300 },
  ]
}

async function list(home: TempHome): Promise<void> {
  const { code, out } = await home.rehoboam(['agents'])
  if (code !== 0 || out.split('\n').length < AGENTS) throw new Error(`${out.slice(0, 200)}: not every agent was shown`)
}

/** One session at work: a transcript that grows, tools that ended and one that runs, for some a subagent or a question. */
export async function live(home: TempHome, n: number): Promise<void> {
  const session = randomUUID()
  const folder = join(home.user, '.claude', 'projects', `-project-${n % 50}`)
  mkdirSync(folder, { recursive: true })
  const transcript = join(folder, `${session}.jsonl`)
  appendFileSync(transcript, Array.from({ length: TURNS_READ }, (_, turn) => transcriptLine(session, turn)).join(''))
  const say = (name: string, fields: Record<string, unknown> = {}) =>
    tell(home, {
      session_id: session,
      transcript_path: transcript,
      cwd: `/home/somebody/project-${n % 50}`,
      permission_mode: 'default',
      hook_event_name: name,
      ...fields,
    })
  const tool = (call: number) => ({
    tool_name: 'Bash',
    tool_input: { command: `npm test -- part-${n}-${call}`, description: 'Runs a part of the tests' },
    tool_use_id: `toolu_${n}_${call}`,
  })
  await say('SessionStart', { source: 'startup', model: 'claude-opus-4-5' })
  await say('UserPromptSubmit', { prompt: 'Make the tests of this part green.' })
  for (let call = 0; call < TOOLS_EACH; call++) {
    await say('PreToolUse', tool(call))
    const answer = { tool_response: { stdout: 'ok 1 - it works\n'.repeat(120), stderr: '' }, duration_ms: 900 }
    await say('PostToolUse', { ...tool(call), ...answer })
  }
  await say('PreToolUse', tool(TOOLS_EACH))
  const subagent = { agent_id: `agent-${n}`, agent_type: 'Explore' }
  if (n % 3 === 0) await say('SubagentStart', subagent)
  if (n % 3 === 0) await say('PreToolUse', { ...tool(TOOLS_EACH + 1), ...subagent })
  if (n % 10 === 0) await say('PermissionRequest', tool(TOOLS_EACH))
}

function transcriptLine(session: string, turn: number): string {
  const usage = {
    input_tokens: 12,
    output_tokens: 340,
    cache_read_input_tokens: 20_000,
    cache_creation_input_tokens: 900,
  }
  const content = [{ type: 'text', text: 'I look at what is there and mend it. '.repeat(30) }]
  const message = {
    id: `msg_${turn}`,
    role: 'assistant',
    model: 'claude-opus-4-5',
    content,
    usage,
    stop_reason: 'end_turn',
  }
  const timestamp = new Date(Date.now() - 60_000 + turn).toISOString()
  return `${JSON.stringify({ type: 'assistant', uuid: randomUUID(), sessionId: session, timestamp, message })}\n`
}

/** As `rehoboam hook` sends it, without a process for each of fifty thousand events. */
async function tell(home: TempHome, hook: Record<string, unknown>): Promise<void> {
  const where: Surroundings = {
    pid: process.pid,
    pane: null,
    entrypoint: 'cli',
    configDirectory: join(home.user, '.claude'),
    run: null,
    loopDirectory: null,
    team: null,
  }
  const body = { id: randomUUID(), at: Date.now(), isHeld: false, where, hook }
  const answer = await requestSocket(home.daemon.socket, { method: 'POST', path: '/v1/hook', body })
  if (answer.statusCode !== 200) throw new Error(await textOf(answer))
  answer.resume()
}

async function allRead(home: TempHome): Promise<boolean> {
  const agents = await home.daemon.ask<AgentSummary[]>({ path: '/v1/agents' })
  return agents.length === AGENTS && agents.every(({ tokens }) => tokens > 0)
}

function residentKb(pid: number): number {
  return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
}
