import type { AgentStatus } from '../../contract/agent.ts'
import type { AgentFacts, OpenPrompt } from './facts.ts'

export type Standing = { status: AgentStatus; reason: string; unsure: string | null }

/** What the agent is doing, why we say so, and where our witnesses disagree. The first that holds. */
export function statusOf(facts: AgentFacts, now: number): Standing {
  const said = fromHooks(facts, now)
  // An end is an end: whatever else was written, was written before it.
  if (said.status === 'gone' || said.status === 'done' || said.status === 'failed') return said
  return secondOpinion(facts, said, now) ?? said
}

// Rest is believed late, work at once: the hook that ends a turn comes at nearly the same time as the client's own
// note, and until both agree it is better to call a resting agent working than the other way round.
const SETTLED_MS = 1_500

/** Something newer than the last hook says otherwise, and has said so for a while. */
function secondOpinion(facts: AgentFacts, said: Standing, now: number): Standing | null {
  const newest = newestWitness(facts)
  const heardAt = lastHook(facts)
  if (!newest || (newest.at <= heardAt && !isOutlasting(facts, newest, heardAt, now))) return null
  if (newest.says === 'resting' && now - newest.at < SETTLED_MS) return null
  const isResting = said.status === 'waiting' || said.status === 'background' || said.status === 'starting'
  // Its own prompt was answered in its pane, and it works. (Of a subagent's in the background the client notes nothing.)
  const isAnswered = said.status === 'attention' && facts.prompts.every(({ agentId }) => agentId === '')
  if (newest.says === 'working' && (isResting || (isAnswered && newest.from === FROM_NOTE))) {
    const [tool] = facts.witness?.tools ?? []
    const reason = tool ? `${tool.words} for ${ago(now - tool.at)}` : `thinking for ${ago(now - newest.at)}`
    return { status: 'working', reason, unsure: `${newest.from}: no hook has said so` }
  }
  if (newest.says === 'asking' && said.status !== 'attention') {
    return { status: 'attention', reason: newest.words, unsure: `${newest.from}: no hook has said so` }
  }
  if (
    newest.says === 'resting' &&
    (said.status === 'working' || said.status === 'attention' || said.status === 'compacting')
  ) {
    const background = runningBackground(facts)
    if (background.length > 0)
      return { status: 'background', reason: taskWords(background), unsure: `${newest.from}: no Stop was heard` }
    const interrupted = facts.witness?.says === 'interrupted'
    const reason = `${interrupted ? 'interrupted, ' : ''}waits for its user for ${ago(now - newest.at)}`
    return { status: 'waiting', reason, unsure: interrupted ? null : `${newest.from}: no Stop was heard` }
  }
  return null
}

const FROM_NOTE = 'from the client’s own note'
// A hook is a process, and an async one may say what was true some seconds ago.
const LATE_MS = 5_000

/** The client noted rest, then a late hook came, and still it notes rest while no tool runs: it rests. */
function isOutlasting(facts: AgentFacts, newest: Opinion, heardAt: number, now: number): boolean {
  if (!facts.client || newest.says !== 'resting' || facts.tools.length > 0) return false
  return newest.at > heardAt - LATE_MS && now - heardAt > SETTLED_MS
}

type Opinion = { at: number; says: 'working' | 'asking' | 'resting'; words: string; from: string }

/** The client's own note wins over the transcript: it also knows of prompts. */
function newestWitness({ client, witness }: AgentFacts): Opinion | null {
  if (client && client.status !== 'unknown') {
    const says = client.status === 'busy' ? 'working' : client.status === 'waiting' ? 'asking' : 'resting'
    return {
      at: client.at,
      says,
      words: client.waitingFor || 'waits for an answer',
      from: FROM_NOTE,
    }
  }
  if (!witness) return null
  return {
    at: witness.at,
    says: witness.says === 'working' ? 'working' : 'resting',
    words: '',
    from: 'from the transcript',
  }
}

function lastHook(facts: AgentFacts): number {
  const tools = facts.tools.filter(({ agentId }) => agentId === '').map(({ at }) => at)
  const prompts = facts.prompts.map(({ at }) => at)
  return Math.max(facts.turn.at, facts.recent.at(-1)?.at ?? 0, ...tools, ...prompts)
}

function fromHooks(facts: AgentFacts, now: number): Standing {
  const sure = (status: AgentStatus, reason: string): Standing => ({ status, reason, unsure: null })
  if (facts.vanishedAt !== null && !facts.end) return sure('gone', `vanished ${ago(now - facts.vanishedAt)} ago`)
  if (facts.end?.how === 'ended') return sure('done', endWords(facts.end.why))
  if (facts.end?.how === 'failed') return sure('failed', failureWords(facts.end.why))
  const prompt = urgent(facts.prompts)
  if (prompt) return sure('attention', `${prompt.words || prompt.kind} (asked ${ago(now - prompt.at)} ago)`)
  if (facts.compactingSince !== null) return sure('compacting', `compacting for ${ago(now - facts.compactingSince)}`)
  const tools = facts.tools.filter(({ agentId }) => agentId === '')
  if (tools.length > 0) return sure('working', toolsWords(tools, now))
  if (!facts.heard && facts.dialog) return sure('attention', `its pane waits for its user: ${facts.dialog}`)
  if (!facts.heard) return sure('starting', `started ${ago(now - facts.startedAt)} ago, nothing heard yet`)
  if (facts.turn.open) return sure('working', `thinking for ${ago(now - lastHook(facts))}`)
  const background = runningBackground(facts)
  if (background.length > 0) return sure('background', taskWords(background))
  return sure('waiting', `waits for its user for ${ago(now - facts.turn.at)}`)
}

/** Background work of its own. A teammate that has reported idle is listed by the client, but does not work. */
export function runningBackground(facts: AgentFacts) {
  const idleMates = facts.mates.filter(({ idle }) => idle).length
  const tasks = facts.background.filter(({ type }) => type !== 'teammate')
  const mates = facts.background.filter(({ type }) => type === 'teammate')
  return [...tasks, ...mates.slice(idleMates)]
}

/** A permission before a question before a notification; of one kind the oldest. */
function urgent(prompts: OpenPrompt[]): OpenPrompt | undefined {
  const order = { permission: 0, question: 1, notification: 2 }
  return prompts.toSorted((a, b) => order[a.kind] - order[b.kind] || a.at - b.at)[0]
}

function toolsWords(tools: AgentFacts['tools'], now: number): string {
  const [first] = tools
  const others = tools.length > 1 ? ` and ${tools.length - 1} more` : ''
  return `${first!.words}${others} for ${ago(now - first!.at)}`
}

function taskWords(tasks: { description: string; type: string }[]): string {
  return tasks.map(task => task.description || task.type).join(', ')
}

function endWords(why: string): string {
  return why && why !== 'other' ? `ended: ${why}` : 'ended'
}

const FAILURES: Record<string, string> = {
  rate_limit: 'rate or usage limit',
  server_error: 'the model is overloaded or failed',
  authentication_failed: 'the credentials were refused',
  crash: 'the process ended with an error',
}

function failureWords(why: string): string {
  return FAILURES[why] ?? `failed: ${why}`
}

function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  return seconds < 3600 ? `${Math.floor(seconds / 60)} m` : `${Math.floor(seconds / 3600)} h`
}
