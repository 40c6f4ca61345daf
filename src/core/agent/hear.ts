import type { Surroundings } from '../../contract/agent.ts'
import type { HookEvent } from '../../contract/hook.ts'
import { short } from '../../contract/short.ts'
import { hasEnded, toolsEnded } from './ended-tools.ts'
import type { AgentFacts, DoneTool, OpenPrompt } from './facts.ts'
import { isOvertaken } from './order.ts'
import { afterTeamTool, busyAgain, LIST_KEPT, mate, taskHeard } from './team.ts'
import { fileChanged, questionOf, toolWords } from './tool-words.ts'

const RECENT_KEPT = 10
const FILES_KEPT = 50

/** One hook event further. A subagent's events are about the subagent: they never change its parent's own turn. */
export function hear(facts: AgentFacts, event: HookEvent, where: Surroundings, at: number): AgentFacts {
  const known = acquaint(facts, event, where, at)
  // A script of somebody's own is told no at once: there is nothing to wait for.
  if (event.name === 'PermissionRequest' && facts.run === null && known.entrypoint?.startsWith('sdk')) return known
  return event.agentId ? hearSubagent(known, event, at) : hearSession(known, event, at)
}

/** Neither ours, which names its run, nor the client's own news of tasks and teammates, which stand in tags. */
function isTyped(prompt: string): boolean {
  return !/^\s*<[a-z][a-z-]*[\s>]/.test(prompt) && !/^\[rehoboam run=[a-z0-9]{8}(\.[\w-]{1,64})? /m.test(prompt)
}

/** What it asked for has been decided, wherever that was. */
export function decided(facts: AgentFacts, event: Extract<HookEvent, { name: 'PermissionRequest' }>): AgentFacts {
  return { ...facts, prompts: without(facts, promptOf(event), event.agentId) }
}

function acquaint(facts: AgentFacts, event: HookEvent, where: Surroundings, at: number): AgentFacts {
  return {
    ...facts,
    // What is heard first of an agent may have begun last. Of long before it only its start tells: a clock may be wrong.
    startedAt: isOvertaken(at, facts.startedAt) ? at : facts.startedAt,
    updatedAt: Math.max(at, facts.updatedAt),
    heard: true,
    hookAt: Math.max(at, facts.hookAt ?? 0),
    vanishedAt: null,
    project: facts.project || event.cwd,
    cwd: event.cwd || facts.cwd,
    transcript: event.transcript || facts.transcript,
    permissionMode: event.permissionMode || facts.permissionMode,
    effort: event.effort || facts.effort,
    pid: where.pid ?? facts.pid,
    pane: where.pane ?? facts.pane,
    entrypoint: where.entrypoint ?? facts.entrypoint,
    configDirectory: where.configDirectory ?? facts.configDirectory,
    team: where.team ?? facts.team,
  }
}

function hearSession(facts: AgentFacts, event: HookEvent, at: number): AgentFacts {
  switch (event.name) {
    case 'SessionStart':
      // After a compaction the same session goes on: nothing else has changed.
      if (event.source === 'compact') return facts
      return { ...alive(facts), model: event.model || facts.model, startedAt: Math.min(facts.startedAt, at) }
    case 'UserPromptSubmit':
      return {
        ...alive(facts),
        turn: { open: true, at },
        prompts: [],
        background: withoutNotified(facts, event.prompt),
        promptedAt: at,
        typedAt: isTyped(event.prompt) ? at : facts.typedAt,
      }
    case 'PreToolUse':
      return preTool(facts, event, at)
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return postTool(facts, event, at)
    case 'PermissionRequest':
      return prompted(facts, promptOf(event), '', at)
    case 'PermissionDenied':
      return { ...facts, prompts: without(facts, promptOf(event), '') }
    case 'Notification':
      return notified(facts, event, at)
    case 'Stop':
      return {
        ...idle(facts, at),
        background: event.background.filter(task => task.status === 'running').slice(0, LIST_KEPT),
        lastMessage: short(event.lastMessage, 2000),
      }
    case 'StopFailure':
      return {
        ...idle(facts, at),
        end: { how: 'failed', why: event.error || 'error', at },
        lastMessage: short(event.message, 2000),
      }
    case 'PreCompact':
      return { ...facts, compactingSince: at }
    case 'PostCompact':
      return { ...facts, compactingSince: null, compactions: facts.compactions + 1 }
    case 'SessionEnd':
      // The error of the last turn is the more telling of the two.
      if (facts.end?.how === 'failed') return facts
      return {
        ...idle(facts, at),
        background: [],
        subagents: endAll(facts, at),
        end: { how: 'ended', why: event.reason, at },
      }
    case 'TeammateIdle':
      return { ...facts, mates: mate(facts, event.teammate, { team: event.team, idle: true }) }
    case 'TaskCreated':
    case 'TaskCompleted':
      return taskHeard(facts, event)
    case 'SubagentStart':
    case 'SubagentStop':
      return facts
    case 'other':
      return { ...facts, unknown: counted(facts, event.event) }
  }
}

/** What a subagent or a teammate does is shown below its parent. */
function hearSubagent(facts: AgentFacts, event: HookEvent, at: number): AgentFacts {
  const { agentId, agentType } = event
  const known = facts.subagents.find(({ id }) => id === agentId)
  const endedAt = event.name === 'SubagentStop' ? at : null
  const others = facts.subagents.filter(({ id }) => id !== agentId)
  const subagent = { id: agentId, type: agentType || known?.type || '', at: known?.at ?? at, endedAt }
  const seen: AgentFacts = { ...facts, subagents: [...others, subagent].slice(-LIST_KEPT) }
  switch (event.name) {
    case 'PreToolUse':
      if (hasEnded(seen, event.toolUseId, at)) return seen
      return {
        ...seen,
        tools: [...besides(seen, event.toolUseId), running(event, at)].slice(-LIST_KEPT),
        mates: busyAgain(seen, agentType),
      }
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return afterTeamTool(
        { ...toolsEnded(seen, [event.toolUseId], at), prompts: without(seen, promptOf(event), agentId) },
        event,
      )
    case 'PermissionRequest':
      return prompted(seen, promptOf(event), agentId, at)
    case 'SubagentStop':
      return {
        ...seen,
        tools: seen.tools.filter(tool => tool.agentId !== agentId),
        background: seen.background.filter(({ id }) => id !== agentId),
        prompts: seen.prompts.filter(prompt => prompt.agentId !== agentId),
      }
    case 'TeammateIdle':
      return { ...seen, mates: mate(seen, event.teammate, { team: event.team, idle: true }) }
    case 'SubagentStart':
      return { ...seen, mates: busyAgain(seen, agentType) }
    case 'TaskCreated':
    case 'TaskCompleted':
      return taskHeard(seen, event)
    default:
      return seen
  }
}

type PreTool = Extract<HookEvent, { name: 'PreToolUse' }>
type PostTool = Extract<HookEvent, { name: 'PostToolUse' | 'PostToolUseFailure' }>

function preTool(facts: AgentFacts, event: PreTool, at: number): AgentFacts {
  if (hasEnded(facts, event.toolUseId, at)) return facts
  const next = { ...alive(facts), compactingSince: null, turn: facts.turn.open ? facts.turn : { open: true, at } }
  const tools = [...besides(next, event.toolUseId), running(event, at)].slice(-LIST_KEPT)
  return { ...next, tools }
}

function postTool(facts: AgentFacts, event: PostTool, at: number): AgentFacts {
  const started = facts.tools.find(({ id }) => id === event.toolUseId)
  const failed = event.name === 'PostToolUseFailure'
  const ms = event.name === 'PostToolUse' ? event.durationMs : started ? at - started.at : 0
  const words = toolWords(event.tool, event.input)
  const done: DoneTool = { id: event.toolUseId, name: event.tool, words, at, ms, failed }
  const file = failed ? null : fileChanged(event.tool, event.input)
  const next: AgentFacts = {
    ...toolsEnded(alive(facts), [event.toolUseId], at),
    recent: [...facts.recent, done].slice(-RECENT_KEPT),
    files: file ? [...facts.files.filter(path => path !== file), file].slice(-FILES_KEPT) : facts.files,
    prompts: without(facts, promptOf(event), ''),
    turn: facts.turn.open ? facts.turn : { open: true, at },
  }
  if (event.name === 'PostToolUseFailure' && event.interrupted) return idle(next, at)
  return afterTeamTool(next, event)
}

function notified(facts: AgentFacts, event: Extract<HookEvent, { name: 'Notification' }>, at: number): AgentFacts {
  // It waits for its user, which a Stop has said already.
  if (event.type === 'idle_prompt' || event.type === 'auth_success') return facts
  const isKnown = facts.prompts.some(({ kind }) => kind !== 'notification')
  return isKnown ? facts : prompted(facts, { kind: 'notification', words: event.message }, '', at)
}

/** Whatever happens, happens after a session's end only when it was resumed. */
function alive(facts: AgentFacts): AgentFacts {
  return { ...facts, end: null, vanishedAt: null }
}

function idle(facts: AgentFacts, at: number): AgentFacts {
  const tools = facts.tools.filter(({ agentId }) => agentId !== '')
  return {
    ...facts,
    turn: { open: false, at },
    tools,
    prompts: facts.prompts.filter(({ agentId }) => agentId !== ''),
    compactingSince: null,
  }
}

function running(event: PreTool, at: number) {
  return {
    id: event.toolUseId,
    name: event.tool,
    words: toolWords(event.tool, event.input),
    at,
    agentId: event.agentId,
  }
}

function besides(facts: AgentFacts, toolUseId: string) {
  return facts.tools.filter(({ id }) => id !== toolUseId)
}

type Asking = Pick<OpenPrompt, 'kind' | 'words'>

function promptOf({ tool, input }: { tool: string; input: Record<string, unknown> }): Asking {
  const isQuestion = tool === 'AskUserQuestion'
  return isQuestion
    ? { kind: 'question', words: questionOf(input) }
    : { kind: 'permission', words: toolWords(tool, input) }
}

function prompted(facts: AgentFacts, asking: Asking, agentId: string, at: number): AgentFacts {
  return { ...facts, prompts: [...without(facts, asking, agentId), { ...asking, at, agentId }].slice(-LIST_KEPT) }
}

/** A notification has no name of its own: any answer closes it. */
function without(facts: AgentFacts, { kind, words }: Asking, agentId: string) {
  const isThis = (prompt: AgentFacts['prompts'][number]) =>
    prompt.kind === 'notification' || (prompt.kind === kind && prompt.words === words && prompt.agentId === agentId)
  return facts.prompts.filter(prompt => !isThis(prompt))
}

/** The client tells its model of an ended background task by a prompt of its own. */
function withoutNotified(facts: AgentFacts, prompt: string) {
  const ended = /<task-id>([^<]{1,200})<\/task-id>/.exec(prompt)?.[1]
  return facts.background.filter(({ id }) => id !== ended)
}

function endAll(facts: AgentFacts, at: number) {
  return facts.subagents.map(subagent => ({ ...subagent, endedAt: subagent.endedAt ?? at }))
}

function counted(facts: AgentFacts, name: string) {
  const before = facts.unknown.find(other => other.name === name)
  const others = facts.unknown.filter(other => other.name !== name)
  return [...others, { name, count: (before?.count ?? 0) + 1 }].slice(-50)
}
