import type { Heard } from './hook.ts'

// What the stream says of hooks. Of those that answer as they should it tells only at the start of a session.
type Line = Record<string, unknown>

export function startedLine(id: string, name: string): Line {
  return { type: 'system', subtype: 'hook_started', hook_id: id, hook_name: name, hook_event: 'SessionStart' }
}

export function responseLine(id: string, name: string, { how, stdout, stderr, code }: Heard): Line {
  const said = { output: stdout || stderr, stdout, stderr, exit_code: code }
  const outcome = how === 'answered' ? 'success' : how === 'timed-out' || how === 'cancelled' ? 'cancelled' : 'error'
  const hook = { hook_id: id, hook_name: name, hook_event: 'SessionStart' }
  return { type: 'system', subtype: 'hook_response', ...hook, ...said, outcome }
}

export function noVerdictLine(call: string, timedOut: boolean): Line {
  const what = timedOut ? "A hook didn't answer in time" : 'A hook gave no usable answer'
  return {
    type: 'system',
    subtype: 'informational',
    content: `${what}, so it didn't check this action.`,
    level: 'warning',
    tag: 'hook_no_verdict',
    hook_no_verdict: { hook_event: 'PreToolUse', tool_use_id: call, timed_out: timedOut },
  }
}

export function stopErrorLine(): Line {
  const text = 'Stop hook error occurred · ctrl+o to see'
  return { type: 'system', subtype: 'notification', key: 'stop-hook-error', text, priority: 'immediate' }
}
