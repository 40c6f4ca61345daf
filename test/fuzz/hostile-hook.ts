import { randomUUID } from 'node:crypto'
import type { Random } from '../runtime/lane/random.ts'
import { hostileText } from './hostile-text.ts'
import type { Shot } from './malformed.ts'

export type HookTarget = {
  port: number
  /** Sessions that we started, with their tokens. */
  own: { session: string; token: string }[]
  /** How many different sessions there are that we did not start. */
  strangers: number
  /** Created by whoever runs what a payload says. */
  canary: string
  /** A named pipe that nobody writes into: whoever opens it to read waits for ever. */
  fifo: string
}

/** One payload of a client that is broken, of next year, or in the hands of somebody hostile; and whether it is held. */
export function hostileHook(random: Random, target: HookTarget): Shot & { isHeld: boolean } {
  const { session, token } = random.pick(target.own)
  const hook = spoilt(random, eventOf(random, sessionOf(random, session, target.strangers), target), target)
  if (random.chance(0.4)) {
    const headers = {
      host: `127.0.0.1:${target.port}`,
      authorization: `Bearer ${random.chance(0.95) ? token : `${token}x`}`,
      'content-type': random.pick(['application/json', 'text/plain', 'application/json; charset=utf-16']),
      ...(random.chance(0.3) && { 'x-rehoboam-pane': random.pick(PANES) }),
    }
    return { door: 'loopback', method: 'POST', path: '/v1/hook', headers, body: bytesOf(random, hook), isHeld: false }
  }
  const isHeld = random.chance(0.02)
  const body = { id: idOf(random), at: random.pick([Date.now(), 0, 1, Date.now() - 1e6, 8.64e15, 2 ** 53 - 1]), isHeld }
  const where = { ...NOWHERE, ...(random.chance(0.3) && hostileWhere(random, target)) }
  const headers = { host: 'rehoboam', 'content-type': 'application/json' }
  return {
    door: 'socket',
    method: 'POST',
    path: '/v1/hook',
    headers,
    body: bytesOf(random, { ...body, where, hook }),
    isHeld,
  }
}

const NAMES = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionRequest'],
  ...['PermissionDenied', 'Notification', 'Stop', 'StopFailure', 'SubagentStart', 'SubagentStop', 'PreCompact'],
  ...['PostCompact', 'SessionEnd', 'TeammateIdle', 'TaskCreated', 'TaskCompleted', 'WorktreeCreate', 'NextYear'],
]
const TOOLS = [
  'Bash',
  'Edit',
  'Write',
  'AskUserQuestion',
  'Agent',
  'SendMessage',
  'TodoWrite',
  'mcp__x__y',
  'constructor',
]
const PANES = ['default:%1', '%1', 'x:%1; kill-server', '-L:%9', 'a:b:%c', `${'p'.repeat(400)}:%1`, '\u00e9:%3']

/** Mostly of a few sessions, so that events meet; now and then of one that nobody has heard of, or of none. */
function sessionOf(random: Random, own: string, strangers: number): unknown {
  switch (random.weighted({ own: 80, fresh: 12, odd: 8 })) {
    case 'own':
      return own
    case 'fresh':
      return `s${random.between(1, strangers)}`
    case 'odd':
      return random.pick<unknown>([
        '../../x',
        'a/b',
        '',
        ' ',
        'a\0b',
        '\x1b[2J',
        '-rf',
        '__proto__',
        'x'.repeat(5000),
        7,
        null,
        ['a'],
      ])
  }
}

function eventOf(random: Random, session: unknown, target: HookTarget): Record<string, unknown> {
  const text = () => (random.chance(0.3) ? hostileText(random, target.canary) : 'ordinary')
  const few = <T>(make: () => T) => Array.from({ length: random.between(0, random.chance(0.001) ? 1_500 : 2) }, make)
  const question = () => ({
    question: text(),
    header: text(),
    options: few(() => ({ label: text(), description: text() })),
  })
  return {
    session_id: session,
    hook_event_name: random.pick(NAMES),
    cwd: random.pick(['/home/somebody', text()]),
    transcript_path: random.pick([target.fifo, target.canary, text(), '']),
    permission_mode: text(),
    tool_name: random.pick([...TOOLS, text()]),
    tool_use_id: `t${random.between(1, 300)}`,
    tool_input: { command: text(), file_path: text(), description: text(), questions: few(question) },
    tool_response: { status: random.pick(['teammate_spawned', text()]), stdout: text(), agentId: text() },
    duration_ms: random.pick<unknown>([5, -1, 1e308, '7', null]),
    prompt: `<task-id>${text()}</task-id>`,
    message: text(),
    notification_type: text(),
    last_assistant_message: text(),
    error: text(),
    reason: text(),
    source: random.pick(['startup', 'compact', text()]),
    model: text(),
    background_tasks: few(() => ({ id: text(), type: 'shell', status: 'running', description: text() })),
    task_id: `k${random.between(1, 500)}`,
    task_subject: text(),
    teammate_name: text(),
    team_name: text(),
    ...(random.chance(0.3) && { agent_id: random.pick([`a${random.between(1, 400)}`, text()]), agent_type: text() }),
  }
}

/** Something that waits for a person, in every way that it can be asked. */
export function hostileQuestion(
  random: Random,
  { session, transcript, canary }: { session: string; transcript: string; canary: string },
): Record<string, unknown> {
  const text = () => `${random.between(1, 1e9)} ${hostileText(random, canary)}`
  const options = [{ label: text(), description: text() }, { label: text() }]
  return {
    session_id: session,
    transcript_path: transcript,
    cwd: text(),
    hook_event_name: 'PermissionRequest',
    ...(random.chance(0.5)
      ? { tool_name: text(), tool_input: { command: text() } }
      : {
          tool_name: 'AskUserQuestion',
          tool_input: { questions: [{ question: text(), header: text(), options, multiSelect: false }] },
        }),
  }
}

/** A transcript in the client's form, full of what an agent may say, do and hear. */
export function hostileTranscript(random: Random, canary: string): string {
  const text = () => hostileText(random, canary)
  const lines = Array.from({ length: 200 }, (_, n) => {
    const call = { type: 'tool_use', id: `t${n}`, name: text(), input: { command: text(), file_path: text() } }
    const result = { type: 'tool_result', tool_use_id: `t${n - 1}`, content: text(), is_error: random.chance(0.5) }
    const message =
      n % 2 === 0
        ? { id: `m${n}`, role: 'assistant', model: text(), content: [{ type: 'text', text: text() }, call] }
        : { role: 'user', content: random.pick<unknown>([text(), [result]]) }
    return JSON.stringify({ type: message.role, timestamp: random.pick([new Date(n).toISOString(), text()]), message })
  })
  return `${lines.join('\n')}\n`
}

/** A few fields of other types, some more that nobody knows, some missing. */
function spoilt(random: Random, event: Record<string, unknown>, target: HookTarget): Record<string, unknown> {
  const next = { ...event }
  for (let n = random.between(0, 4); n > 0; n--) {
    const name = random.pick(Object.keys(next).slice(1))
    if (random.chance(0.2)) delete next[name]
    else next[name] = wrongValue(random, target)
  }
  if (random.chance(0.05)) next.session_id = wrongValue(random, target)
  return next
}

function wrongValue(random: Random, { canary }: HookTarget): unknown {
  const text = hostileText(random, canary)
  return random.pick<unknown>([
    ...[null, true, -1, 1e308, 0.1, [], {}, [[]], [null], { length: 5 }, [text], { [text]: text }, text, DEEP],
    ...[{ level: text }, { constructor: { name: text } }, { PROTO: { polluted: true } }, { toString: 'x', valueOf: 1 }],
  ])
}

const DEEP = [['deep']]
const NOWHERE = {
  pid: null,
  pane: null,
  entrypoint: null,
  configDirectory: null,
  run: null,
  loopDirectory: null,
  team: null,
}

function hostileWhere(random: Random, { canary }: HookTarget): Record<string, unknown> {
  const text = () => hostileText(random, canary).slice(0, random.chance(0.9) ? 90 : 9_000)
  return {
    pid: random.pick<unknown>([null, 1, 0, -1, process.pid, 4_194_304, 1.5, 'x']),
    pane: random.pick([text(), ...PANES]),
    entrypoint: random.pick(['cli', 'sdk-cli', text()]),
    configDirectory: random.pick([`/nowhere/${random.between(1, 1e6)}`, text(), '/dev', '/proc/self']),
    run: random.pick([null, 'abcd1234', text()]),
    loopDirectory: text(),
    team: random.chance(0.5) ? null : { name: text(), agentId: text(), agentName: text(), agentType: text() },
  }
}

/** The same id again, now and then: hooks are sent twice. */
function idOf(random: Random): string {
  return random.chance(0.1) ? '01234567-89ab-7def-8123-456789abcdef' : randomUUID()
}

/** What JSON.stringify does not write: keys that are set on the prototype elsewhere, and depth without end. */
function bytesOf(random: Random, value: unknown): Buffer {
  const depth = random.between(1, random.chance(0.02) ? 20_000 : 200)
  const text = JSON.stringify(value)
    .replaceAll('"PROTO":', '"__proto__":')
    .replace('[["deep"]]', () => `${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`)
  return Buffer.from(text)
}
