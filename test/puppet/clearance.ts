import type { PermissionAnswer, ToolVerdict } from './hooks/decision.ts'
import type { Call, Hooks } from './hooks/hooks.ts'
import { type Denial, decide } from './permission.ts'
import type { Settings } from './settings.ts'
import { suggestions } from './suggestions.ts'

type Line = Record<string, unknown>

/** May this call run, with which input, and who said so. */
export type Clearance =
  | { how: 'allowed'; input: Record<string, unknown>; meta: Line }
  /** `told`: the stream has a line of its own for it. */
  | { how: 'denied'; message: string; meta: Line; told: Line | undefined }
  | { how: 'cancelled' }

/** Asks everybody in the client's order: hooks before the tool, rules and mode, hooks in place of a person. */
export async function clear(settings: Settings, hooks: Hooks, call: Call): Promise<Clearance> {
  const before = await hooks.beforeTool(call)
  if (hooks.isCancelled) return { how: 'cancelled' }
  if (before.decision === 'deny') return deniedBefore(call, before)
  const input = before.input ?? call.input
  if (before.decision === 'allow') return allowedByHook(input)
  // Who wants a person to be asked gets a refusal: there is none, and hooks do not stand in for one here.
  if (before.decision === 'ask') return deniedByConfig(asked(before))
  const verdict = decide(settings, call.name, input)
  if (verdict.allowed) return { how: 'allowed', input, meta: accept('config', verdict.why) }
  // In this mode nobody is asked, not even a hook.
  if (settings.mode === 'dontAsk') return deniedByConfig(verdict)
  const answer = await hooks.permissionAsked({ ...call, input }, suggestions(settings, call.name, input))
  if (!answer) return deniedByConfig(verdict)
  return answer.behavior === 'allow' ? allowedByHook(answer.input ?? input) : deniedByHook(answer)
}

function asked({ reason }: ToolVerdict): Denial {
  const more = { decision_reason_type: 'hook', decision_reason: reason }
  return { allowed: false, message: reason, kind: 'user-rejected', more }
}

function allowedByHook(input: Record<string, unknown>): Clearance {
  return { how: 'allowed', input, meta: accept('hook', 'hook') }
}

function deniedBefore({ name }: Call, { reason }: ToolVerdict): Clearance {
  return { how: 'denied', message: `PreToolUse:${name} hook error: ${reason}`, meta: REJECTED_BY_HOOK, told: undefined }
}

function deniedByHook({ message }: PermissionAnswer & { behavior: 'deny' }): Clearance {
  const reason = message ? { decision_reason: message } : {}
  const said = message || 'Permission denied by hook'
  const told = { decision_reason_type: 'hook', ...reason, message: said }
  return { how: 'denied', message: said, meta: REJECTED_BY_HOOK, told }
}

function deniedByConfig({ message, kind, more }: Denial): Clearance {
  const meta = { non_execution_kind: kind, permission_decision: { decision: 'reject', source: 'config' } }
  return { how: 'denied', message, meta, told: { ...more, message } }
}

const REJECTED_BY_HOOK = {
  non_execution_kind: 'permission-rule',
  permission_decision: { decision: 'reject', source: 'hook', reason_type: 'hook' },
}

function accept(source: string, why: string): Line {
  return { permission_decision: { decision: 'accept', source, reason_type: why } }
}
