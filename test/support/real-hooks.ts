import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

/** One event as a hook was told of it: what it got, and what it could see around it at that moment. */
export type Told = {
  /** Which of several hooks; empty when there is only one. */
  by: string
  payload: Record<string, unknown>
  /** Of a command: its environment and directory, and the client's note of the session at that moment. */
  env?: Record<string, string>
  cwd?: string
  note?: Record<string, unknown> | 'none' | 'torn'
  /** Of a request. */
  headers?: IncomingHttpHeaders
}

/** Hooks that write down what they are told and answer what they were given to answer: each answer once, in order. */
export type HookRecorder = {
  port: number
  /** A settings object in which a hook of this kind listens to these events. */
  settings(via: 'command' | 'http', events?: readonly string[], more?: object): { hooks: Record<string, unknown[]> }
  /** One command hook that says in its records who it is. */
  command(event: string, by: string): { type: 'command'; command: string; timeout: number }
  /** In the order in which the hooks began. */
  told(): Told[]
  [Symbol.asyncDispose](): Promise<void>
}

export type Answers = Partial<Record<string, unknown[]>>

export const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'PostToolUseFailure'],
  ...['PostToolBatch', 'Stop', 'StopFailure', 'SessionEnd', 'Notification', 'PermissionDenied'],
] as const

// The event and its moment first, everything else after: hooks that run side by side are told apart by their start.
const SCRIPT = `
record="$RECORDS/$(date +%s%N)-$$"
mkdir "$record.part"
cat > "$record.part/payload"
printf %s "$2" > "$record.part/by"
pwd > "$record.part/cwd"
env -0 > "$record.part/env"
cat "\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/sessions/$CLAUDE_PID.json" > "$record.part/note" 2>/dev/null
mv "$record.part" "$record.told"
for answer in "$RECORDS/answers/$1".*; do
  if [ -e "$answer" ]; then cat "$answer"; rm "$answer"; fi
  break
done
exit 0
`

export async function openRecorder(home: string, answers: Answers = {}): Promise<HookRecorder> {
  const folder = join(home, 'records')
  mkdirSync(join(folder, 'answers'), { recursive: true })
  const script = join(folder, 'hook.sh')
  writeFileSync(script, `RECORDS=${folder}${SCRIPT}`)
  const queues = new Map(Object.entries(answers).map(([event, list]) => [event, [...(list ?? [])]]))
  for (const [event, list] of queues) {
    list.forEach((answer, n) => {
      writeFileSync(join(folder, 'answers', `${event}.${n}`), JSON.stringify(answer))
    })
  }
  const posted: Told[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const payload = JSON.parse(text)
    posted.push({ by: '', payload, headers: request.headers })
    response.end(JSON.stringify(await (queues.get(payload.hook_event_name)?.shift() ?? {})))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const command = (event: string, by: string) => ({
    type: 'command' as const,
    command: `sh ${script} ${event} '${by}'`,
    // Without one of its own a hook of SessionEnd is cut off after 1.5 s, which a busy machine needs for a shell alone.
    timeout: 60,
  })
  const http = { type: 'http', url: `http://127.0.0.1:${port}/hook`, timeout: 60 }
  return {
    port,
    command,
    settings: (via, events = EVENTS, more = {}) => {
      const hook = (event: string) => ({ ...(via === 'http' ? http : command(event, '')), ...more })
      return { hooks: Object.fromEntries(events.map(event => [event, [{ hooks: [hook(event)] }]])) }
    },
    told: () => [...recorded(folder), ...posted],
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function recorded(folder: string): Told[] {
  const names = readdirSync(folder).filter(name => name.endsWith('.told'))
  return names.sort().map(name => {
    const read = (what: string) => readFileSync(join(folder, name, what), 'utf8')
    const pairs = read('env').split('\0').filter(Boolean)
    const env = Object.fromEntries(
      pairs.map(pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    )
    return {
      by: read('by'),
      payload: JSON.parse(read('payload')),
      env,
      cwd: read('cwd').trim(),
      note: noteIn(read('note')),
    }
  })
}

function noteIn(text: string): NonNullable<Told['note']> {
  try {
    return text === '' ? 'none' : JSON.parse(text)
  } catch {
    return 'torn'
  }
}
