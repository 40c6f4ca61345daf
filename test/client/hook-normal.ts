import { isDeepStrictEqual } from 'node:util'
import type { Bench } from '../support/real-client.ts'
import type { Told } from '../support/real-hooks.ts'
import { neutral } from './normal.ts'

// What two clients must have told their hooks, with everything taken out that differs from one run to the next.

const NUMBERS = ['duration_ms', 'seconds_since_last_response']
const TOOL_EVENTS = ['PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure']
// The client's own socket, by which clients talk to each other; and a file for a session's variables.
const NOT_PLAYED = ['CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN', 'CLAUDE_ENV_FILE']

export function told(bench: Bench, all: Told[]): unknown {
  const given = bench.home.env(bench.model.url)
  const entries = inOrder(all).map(entry => normal(entry, all, given))
  return onlyChanged(neutral(entries, bench) as { env?: unknown }[])
}

/** The environment of a hook is mostly that of the one before it. */
export function onlyChanged(entries: { env?: unknown }[]): unknown[] {
  return entries.map((entry, n) => {
    const isSame = entry.env !== undefined && isDeepStrictEqual(entry.env, entries[n - 1]?.env)
    return isSame ? { ...entry, env: '(as before)' } : entry
  })
}

export function eventNames(all: Told[]): string[] {
  return inOrder(all).map(({ payload }) => String(payload.hook_event_name))
}

/** Pairs and not an object, because the order of the fields is compared too. */
function normal(entry: Told, all: Told[], given: Record<string, string>): unknown {
  const { by, payload, env, cwd, headers } = entry
  const fields = Object.entries(payload).map(([key, value]) => [key, NUMBERS.includes(key) ? typeof value : value])
  return {
    by,
    fields,
    ...(env ? { env: environment(env, given), cwd, note: statusIn(entry, all) } : {}),
    ...(headers
      ? { authorization: headers.authorization, pane: headers['x-pane'], type: headers['content-type'] }
      : {}),
  }
}

/**
 * What the client's note says while a hook runs. The client writes its note while its first hooks run, so they may see it or
 * not. A client that finds no session to resume ends at once: SessionEnd is its first hook, and by chance there is a note.
 */
function statusIn({ payload, env, note }: Told, all: Told[]): unknown {
  const event = String(payload.hook_event_name)
  const isFirst = event === 'SessionEnd' && all.filter(other => other.env?.CLAUDE_PID === env?.CLAUDE_PID).length === 1
  if (event === 'SessionStart' || event === 'UserPromptSubmit' || isFirst) return 'any'
  return typeof note === 'object' ? note.status : note
}

/** What the client adds to the environment that it was given, and null for what it keeps from its hooks. */
function environment(env: Record<string, string>, given: Record<string, string>): Record<string, string | null> {
  // The shell's own additions depend on which shell it is.
  const own = [...NOT_PLAYED, 'PWD', 'OLDPWD', 'SHLVL', '_']
  const added = Object.entries(env).filter(([name, value]) => !own.includes(name) && given[name] !== value)
  const removed = Object.keys(given).filter(name => !(name in env))
  return {
    ...Object.fromEntries(added),
    ...Object.fromEntries(removed.map(name => [name, null])),
    CLAUDE_PID: typeof env.CLAUDE_PID,
  }
}

/** Tools run side by side, and so do several hooks of one event; of one call, the events come in order. */
function inOrder(all: Told[]): Told[] {
  const calls = new Map<string, string>()
  for (const { payload } of all) {
    if (payload.hook_event_name === 'PreToolUse') calls.set(inputOf(payload), String(payload.tool_use_id))
  }
  let place = 0
  let last = ''
  const keyed = all.map(entry => {
    const { hook_event_name: event, tool_use_id: id } = entry.payload
    const call = TOOL_EVENTS.includes(String(event)) ? String(id ?? calls.get(inputOf(entry.payload))) : ''
    const group = call ? 'tools' : String(event)
    if (group !== last) place += 1
    last = group
    const step = TOOL_EVENTS.indexOf(String(event))
    return { entry, key: [String(place).padStart(4, '0'), call, step, entry.by].join(' ') }
  })
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ entry }) => entry)
}

function inputOf(payload: Record<string, unknown>): string {
  const input = Object.entries(payload.tool_input as object).sort(([a], [b]) => (a < b ? -1 : 1))
  return `${payload.tool_name} ${JSON.stringify(input)}`
}
