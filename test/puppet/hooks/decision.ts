import { isObject, type Reply } from './hook.ts'

type Input = Record<string, unknown>

/** What all hooks before a tool say together. */
export type ToolVerdict = { decision: 'deny' | 'ask' | 'allow' | 'none'; reason: string; input: Input | undefined }
export type PermissionAnswer = { behavior: 'allow'; input: Input | undefined } | { behavior: 'deny'; message: string }

const STRENGTH = { deny: 3, ask: 2, allow: 1, none: 0 }

/** The strictest wins, whenever it comes; of equals, and of changed inputs, the one that comes last. */
export function toolVerdict(replies: Reply[]): ToolVerdict {
  let all: ToolVerdict = { decision: 'none', reason: '', input: undefined }
  for (const reply of replies) {
    const one = oneVerdict(reply)
    const input = one.input ?? all.input
    all = { ...(STRENGTH[one.decision] >= STRENGTH[all.decision] ? one : all), input }
  }
  return all
}

function oneVerdict(reply: Reply): ToolVerdict {
  if (reply.how === 'objected') return { decision: 'deny', reason: reply.why, input: undefined }
  if (reply.how !== 'answered') return { decision: 'none', reason: '', input: undefined }
  const { decision: old, reason, hookSpecificOutput } = reply.json
  const said = isObject(hookSpecificOutput) ? hookSpecificOutput : {}
  const given = said.permissionDecision ?? { block: 'deny', approve: 'allow' }[String(old)]
  const decision = given === 'deny' || given === 'ask' || given === 'allow' ? given : 'none'
  const input = isObject(said.updatedInput) ? said.updatedInput : undefined
  return { decision, reason: String(said.permissionDecisionReason ?? reason ?? ''), input }
}

export function permissionAnswer(reply: Reply): PermissionAnswer | undefined {
  if (reply.how !== 'answered' || !isObject(reply.json.hookSpecificOutput)) return undefined
  const { decision } = reply.json.hookSpecificOutput
  if (!isObject(decision)) return undefined
  if (decision.behavior === 'deny') return { behavior: 'deny', message: String(decision.message ?? '') }
  if (decision.behavior !== 'allow') return undefined
  return { behavior: 'allow', input: isObject(decision.updatedInput) ? decision.updatedInput : undefined }
}

/** Why the session may not stop yet; undefined when this one lets it. */
export function stopObjection(reply: Reply): string | undefined {
  if (reply.how === 'objected') return reply.why
  if (reply.how !== 'answered' || reply.json.decision !== 'block') return undefined
  return String(reply.json.reason ?? '')
}
