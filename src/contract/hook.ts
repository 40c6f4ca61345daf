import { short } from './short.ts'
import { input, isObject, number, objects } from './stream-fields.ts'

/**
 * One hook event of the client, parsed once. The client changes every week: an event that we do not know is kept as
 * `other`, a field of the wrong type becomes its default, and nothing in here throws.
 */

export type HookTask = { id: string; type: string; status: string; description: string }

type HookKind =
  | { name: 'SessionStart'; source: string; model: string }
  | { name: 'UserPromptSubmit'; prompt: string }
  | { name: 'PreToolUse'; tool: string; input: Record<string, unknown>; toolUseId: string }
  | {
      name: 'PostToolUse'
      tool: string
      input: Record<string, unknown>
      toolUseId: string
      durationMs: number
      status: string
    }
  | {
      name: 'PostToolUseFailure'
      tool: string
      input: Record<string, unknown>
      toolUseId: string
      error: string
      interrupted: boolean
    }
  | {
      name: 'PermissionRequest'
      tool: string
      input: Record<string, unknown>
      /** False when the input was too large to keep: then no rule may decide about what it shows. */
      isWhole: boolean
    }
  | { name: 'PermissionDenied'; tool: string; input: Record<string, unknown>; toolUseId: string; reason: string }
  | { name: 'Notification'; type: string; message: string }
  | { name: 'Stop'; lastMessage: string; background: HookTask[]; stopHookActive: boolean }
  | { name: 'StopFailure'; error: string; message: string }
  | { name: 'SubagentStart' }
  | { name: 'SubagentStop'; lastMessage: string }
  | { name: 'PreCompact'; trigger: string }
  | { name: 'PostCompact' }
  | { name: 'SessionEnd'; reason: string }
  | { name: 'TeammateIdle'; teammate: string; team: string }
  | { name: 'TaskCreated' | 'TaskCompleted'; taskId: string; subject: string; teammate: string }
  | { name: 'other'; event: string }

export type HookEvent = {
  session: string
  cwd: string
  transcript: string
  permissionMode: string
  effort: string
  /** Of the subagent or teammate that it is about; empty: the session itself. */
  agentId: string
  agentType: string
} & HookKind

const TEXT_LIMIT = 16_000

/**
 * Null when it does not even name a session: then there is nobody that it could be about. `isCut`: whoever sent it has
 * cut its long texts already.
 */
export function parseHook(value: unknown, isCut = false): HookEvent | null {
  if (!isObject(value)) return null
  const session = textOf(value.session_id, 200)
  const event = textOf(value.hook_event_name, 200)
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(session) || event === '') return null
  return {
    session,
    cwd: textOf(value.cwd, 4096),
    transcript: textOf(value.transcript_path, 4096),
    permissionMode: textOf(value.permission_mode, 100),
    effort: isObject(value.effort) ? textOf(value.effort.level, 100) : '',
    agentId: textOf(value.agent_id, 200),
    agentType: textOf(value.agent_type, 200),
    ...kindOf(event, value, isCut),
  }
}

function kindOf(event: string, value: Record<string, unknown>, isCut: boolean): HookKind {
  const tool = textOf(value.tool_name, 200)
  const toolUseId = textOf(value.tool_use_id, 200)
  switch (event) {
    case 'SessionStart':
      return { name: event, source: textOf(value.source, 100), model: textOf(value.model, 200) }
    case 'UserPromptSubmit':
      return { name: event, prompt: textOf(value.prompt, TEXT_LIMIT) }
    case 'PreToolUse':
      return { name: event, tool, input: inputOf(value), toolUseId }
    case 'PostToolUse': {
      const response = isObject(value.tool_response) ? value.tool_response : {}
      return {
        name: event,
        tool,
        input: inputOf(value),
        toolUseId,
        durationMs: number(value.duration_ms) ?? 0,
        status: textOf(response.status, 100),
      }
    }
    case 'PostToolUseFailure': {
      const interrupted = value.is_interrupt === true
      return {
        name: event,
        tool,
        input: inputOf(value),
        toolUseId,
        error: textOf(value.error, TEXT_LIMIT),
        interrupted,
      }
    }
    case 'PermissionRequest': {
      const isWhole = !isCut && sameSize(value.tool_input, inputOf(value))
      return { name: event, tool, input: inputOf(value), isWhole }
    }
    case 'PermissionDenied':
      return { name: event, tool, input: inputOf(value), toolUseId, reason: textOf(value.reason, TEXT_LIMIT) }
    case 'Notification':
      return { name: event, type: textOf(value.notification_type, 100), message: textOf(value.message, TEXT_LIMIT) }
    case 'Stop': {
      const stopHookActive = value.stop_hook_active === true
      const lastMessage = textOf(value.last_assistant_message, TEXT_LIMIT)
      return { name: event, lastMessage, background: tasksOf(value.background_tasks), stopHookActive }
    }
    case 'StopFailure':
      return { name: event, error: textOf(value.error, 200), message: textOf(value.last_assistant_message, TEXT_LIMIT) }
    case 'SubagentStart':
    case 'PostCompact':
      return { name: event }
    case 'SubagentStop':
      return { name: event, lastMessage: textOf(value.last_assistant_message, TEXT_LIMIT) }
    case 'PreCompact':
      return { name: event, trigger: textOf(value.trigger, 100) }
    case 'SessionEnd':
      return { name: event, reason: textOf(value.reason, 100) }
    case 'TeammateIdle':
      return { name: event, teammate: textOf(value.teammate_name, 200), team: textOf(value.team_name, 200) }
    case 'TaskCreated':
    case 'TaskCompleted': {
      const subject = textOf(value.task_subject, 1000)
      return { name: event, taskId: textOf(value.task_id, 200), subject, teammate: textOf(value.teammate_name, 200) }
    }
    default:
      return { name: 'other', event }
  }
}

function inputOf(value: Record<string, unknown>): Record<string, unknown> {
  return input(value.tool_input)
}

function sameSize(whole: unknown, kept: unknown): boolean {
  try {
    return JSON.stringify(whole)?.length === JSON.stringify(kept)?.length
  } catch {
    // Nested deeper than can be written, so what was kept is less.
    return false
  }
}

function tasksOf(value: unknown): HookTask[] {
  return objects(value).map(task => ({
    id: textOf(task.id, 200),
    type: textOf(task.type, 100),
    status: textOf(task.status, 100),
    description: textOf(task.description, 1000),
  }))
}

function textOf(value: unknown, longest: number): string {
  return typeof value === 'string' ? short(value, longest) : ''
}
