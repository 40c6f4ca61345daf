// A process of its own: it sends events to the HTTP door at a steady rate, whether answers come or not, and tells how long each took.
import { connect } from 'node:net'

export type Load = {
  port: number
  sessions: { id: string; token: string }[]
  perSecond: number
  warmUpS: number
  forS: number
}
export type Replies = { tookMs: number[]; refused: number }

process.once('message', async (load: Load) => {
  process.send!(await sendAll(load), () => process.exit(0))
})

function sendAll({ port, sessions, perSecond, warmUpS, forS }: Load): Promise<Replies> {
  const { promise, resolve } = Promise.withResolvers<Replies>()
  const [first, all] = [warmUpS * perSecond, (warmUpS + forS) * perSecond]
  const replies: Replies = { tookMs: [], refused: 0 }
  const free: Line[] = []
  const from = performance.now()
  let [sent, answered] = [0, 0]
  const send = (n: number) => {
    const { id, token } = sessions[(n >> 1) % sessions.length]!
    const line = freeLine(free) ?? lineTo(port)
    const at = performance.now()
    line.ask(requestOf(port, token, eventOf(id, n)), ok => {
      if (n >= first) replies.tookMs.push(performance.now() - at)
      if (!ok) replies.refused += 1
      free.push(line)
      answered += 1
      if (answered === all) resolve(replies)
    })
  }
  const timer = setInterval(() => {
    const due = Math.min(all, ((performance.now() - from) / 1000) * perSecond)
    while (sent < due) send(sent++)
    if (sent === all) clearInterval(timer)
  }, 1)
  return promise
}

type Line = { isOpen: () => boolean; ask: (request: string, answered: (ok: boolean) => void) => void }

/** The one used last; those that the server closed because they were idle are let go. */
function freeLine(free: Line[]): Line | undefined {
  for (;;) {
    const line = free.pop()
    if (!line || line.isOpen()) return line
  }
}

/**
 * One kept connection, one request at a time. Bare bytes on a socket: Node's own client makes so much garbage that its
 * pauses, not the door's, would be the last percent.
 */
function lineTo(port: number): Line {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let text = ''
  let usedAt = performance.now()
  let answered: ((ok: boolean) => void) | null = null
  const answer = (ok: boolean) => {
    const then = answered
    answered = null
    text = ''
    then?.(ok)
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    const head = text.indexOf('\r\n\r\n')
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1])
    if (text.length < head + 4 + length) return
    answer(text.startsWith('HTTP/1.1 200'))
  })
  socket.on('error', () => {})
  socket.on('close', () => answer(false))
  return {
    // The server closes what is idle for five seconds, and says so: nobody uses it in its last one.
    isOpen: () => !socket.destroyed && performance.now() - usedAt < 4_000,
    ask(request, then) {
      answered = then
      usedAt = performance.now()
      socket.write(request)
    },
  }
}

function requestOf(port: number, token: string, body: string): string {
  return [
    'POST /v1/hook HTTP/1.1',
    `host: 127.0.0.1:${port}`,
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

/** Tool calls, begun and ended, some by subagents. */
function eventOf(session: string, n: number): string {
  const call = n >> 1
  const ended = n % 2 === 1
  return JSON.stringify({
    session_id: session,
    cwd: '/home/somebody/project',
    permission_mode: 'acceptEdits',
    hook_event_name: ended ? 'PostToolUse' : 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: `npm test -- part-${call}`, description: 'Runs a part of the tests' },
    tool_use_id: `toolu_${call}`,
    ...(call % 5 === 0 && { agent_id: `agent-${call % 40}`, agent_type: 'Explore' }),
    ...(ended && { tool_response: { stdout: 'ok 1 - it works\n'.repeat(60), stderr: '' }, duration_ms: 12 }),
  })
}
