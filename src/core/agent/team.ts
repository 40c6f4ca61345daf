import type { HookEvent } from '../../contract/hook.ts'
import { short } from '../../contract/short.ts'
import type { AgentFacts, ClientTask, Mate } from './facts.ts'

/** An agent's teammates and the client's own list of tasks, which they share. */

export const LIST_KEPT = 200

type TaskEvent = Extract<HookEvent, { name: 'TaskCreated' | 'TaskCompleted' }>
type PostTool = Extract<HookEvent, { name: 'PostToolUse' | 'PostToolUseFailure' }>

export function mate(facts: AgentFacts, name: string, change: Partial<Mate>): Mate[] {
  const before = facts.mates.find(other => other.name === name) ?? { name, team: '', idle: false, shutdownAsked: false }
  return [...facts.mates.filter(other => other.name !== name), { ...before, ...change }].slice(-LIST_KEPT)
}

/** A teammate that works again is not idle any more; its type is its name. */
export function busyAgain(facts: AgentFacts, name: string): Mate[] {
  return facts.mates.map(other => (other.name === name ? { ...other, idle: false } : other))
}

/**
 * A task that is new, or done. Of a teammate that goes idle the client also says TaskCompleted for whatever it has begun,
 * to let a hook object (seen): so a teammate's is done by its TaskUpdate alone.
 */
export function taskHeard(facts: AgentFacts, { name, taskId, subject, teammate }: TaskEvent): AgentFacts {
  const before = facts.tasks.find(({ id }) => id === taskId)
  const done = before?.done === true || (name === 'TaskCompleted' && teammate === '')
  const owner = before?.owner || teammate
  return withTask(facts, { id: taskId, subject, done, begun: before?.begun === true && !done, owner })
}

/** What a tool call has changed in the team or its tasks. */
export function afterTeamTool(facts: AgentFacts, event: PostTool): AgentFacts {
  if (event.name !== 'PostToolUse') return facts
  const { tool, input } = event
  if (tool === 'TaskUpdate') return taskUpdated(facts, input)
  if (tool === 'SendMessage') return messageSent(facts, event)
  const name = textOf(input.name)
  return event.status === 'teammate_spawned' && name ? { ...facts, mates: mate(facts, name, { idle: false }) } : facts
}

function taskUpdated(facts: AgentFacts, input: Record<string, unknown>): AgentFacts {
  const before = facts.tasks.find(({ id }) => id === input.taskId)
  if (!before) return facts
  const { status } = input
  if (status === 'deleted') return { ...facts, tasks: facts.tasks.filter(({ id }) => id !== before.id) }
  const known = typeof status === 'string'
  return withTask(facts, {
    ...before,
    subject: textOf(input.subject) || before.subject,
    owner: textOf(input.owner) || before.owner,
    done: known ? status === 'completed' : before.done,
    begun: known ? status === 'in_progress' : before.begun,
  })
}

/** A lead asks a teammate to end; the teammate agrees, and is gone without another word, or does not. */
function messageSent(facts: AgentFacts, { input, agentType }: PostTool): AgentFacts {
  const message = (typeof input.message === 'object' && input.message) as Record<string, unknown> | false
  const to = textOf(input.to)
  if (!message) return facts
  if (message.type === 'shutdown_request' && to) return { ...facts, mates: mate(facts, to, { shutdownAsked: true }) }
  if (message.type !== 'shutdown_response' || !facts.mates.some(({ name }) => name === agentType)) return facts
  if (message.approve !== true) return { ...facts, mates: mate(facts, agentType, { shutdownAsked: false }) }
  // The last Stop listed it as running, under an id that nothing else names; the next one will not.
  const listed = facts.background.findIndex(({ type }) => type === 'teammate')
  return {
    ...facts,
    mates: facts.mates.filter(({ name }) => name !== agentType),
    background: facts.background.filter((_, n) => n !== listed),
  }
}

/** In the order in which they were made. */
function withTask(facts: AgentFacts, task: ClientTask): AgentFacts {
  const isKnown = facts.tasks.some(({ id }) => id === task.id)
  const tasks = isKnown ? facts.tasks.map(other => (other.id === task.id ? task : other)) : [...facts.tasks, task]
  return { ...facts, tasks: tasks.slice(-LIST_KEPT) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? short(value, 500) : ''
}
