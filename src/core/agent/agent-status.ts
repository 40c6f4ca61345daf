import type { AgentStatus } from '../../contract/agent.ts'
import type { AgentFacts, OpenPrompt } from './facts.ts'

/** `doing` and `since` are the reason without its age, so that whoever shows it can let it age. */
export type Standing = {
  status: AgentStatus
  reason: string
  doing: string
  since: number | null
  unsure: string | null
}

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
    const [doing, since] = tool ? [tool.words, tool.at] : ['thinking', newest.at]
    const reason = `${doing} for ${ago(now - since)}`
    return { status: 'working', reason, doing, since, unsure: `${newest.from}: no hook has said so` }
  }
  if (newest.says === 'asking' && said.status !== 'attention') {
    const { words, at, from } = newest
    return { status: 'attention', reason: words, doing: words, since: at, unsure: `${from}: no hook has said so` }
  }
  if (
    newest.says === 'resting' &&
    (said.status === 'working' || said.status === 'attention' || said.status === 'compacting')
  ) {
    const failure = failureOf(facts, now)
    if (failure) {
      const doing = failureWords(failure.why)
      const unsure = 'from the transcript: no StopFailure was heard'
      return { status: 'failed', reason: doing, doing, since: failure.at, unsure }
    }
    const background = runningBackground(facts)
    const unsure = `${newest.from}: no Stop was heard`
    const since = newest.at
    if (background.length > 0) {
      const doing = taskWords(background)
      return { status: 'background', reason: doing, doing, since, unsure }
    }
    const interrupted = facts.witness?.says === 'interrupted'
    const doing = `${interrupted ? 'interrupted, ' : ''}waits for its user`
    const reason = `${doing} for ${ago(now - since)}`
    return { status: 'waiting', reason, doing, since, unsure: interrupted ? null : unsure }
  }
  return null
}

/** The error that ended the newest turn, from its StopFailure hook or, when that is late or lost, from the transcript. */
export function failureOf({ end, witness, turn }: AgentFacts, now: number): { why: string; at: number } | null {
  if (end) return end.how === 'failed' ? end : null
  // A prompt hook may be heard long after its turn began. If it were of a newer turn, the transcript would show that soon.
  if (witness?.says !== 'failed' || (witness.at <= turn.at && now - turn.at < SETTLED_MS)) return null
  return { why: witness.error, at: witness.at }
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
  const sure = (status: AgentStatus, doing: string, since: number | null, reason = doing): Standing => {
    return { status, reason, doing, since, unsure: null }
  }
  const lasting = (status: AgentStatus, doing: string, since: number) =>
    sure(status, doing, since, `${doing} for ${ago(now - since)}`)
  const { vanishedAt, end, startedAt, turn } = facts
  if (vanishedAt !== null && !end) return sure('gone', 'vanished', vanishedAt, `vanished ${ago(now - vanishedAt)} ago`)
  if (end?.how === 'ended') return sure('done', endWords(end.why), end.at)
  if (end?.how === 'failed') return sure('failed', failureWords(end.why), end.at)
  const prompt = urgent(facts.prompts)
  if (prompt) {
    const asks = prompt.words || prompt.kind
    return sure('attention', asks, prompt.at, `${asks} (asked ${ago(now - prompt.at)} ago)`)
  }
  if (facts.compactingSince !== null) return lasting('compacting', 'compacting', facts.compactingSince)
  const tools = facts.tools.filter(({ agentId }) => agentId === '')
  if (tools.length > 0) return lasting('working', toolsWords(tools), tools[0]!.at)
  if (!facts.heard && facts.dialog) return sure('attention', `its pane waits for its user: ${facts.dialog}`, null)
  if (!facts.heard) {
    return sure('starting', 'nothing heard yet', startedAt, `started ${ago(now - startedAt)} ago, nothing heard yet`)
  }
  if (turn.open) return lasting('working', 'thinking', lastHook(facts))
  const background = runningBackground(facts)
  if (background.length > 0) return sure('background', taskWords(background), turn.at)
  return lasting('waiting', 'waits for its user', turn.at)
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

function toolsWords(tools: AgentFacts['tools']): string {
  const [first] = tools
  return `${first!.words}${tools.length > 1 ? ` and ${tools.length - 1} more` : ''}`
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
