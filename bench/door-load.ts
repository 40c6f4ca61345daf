// A process of its own: it sends events to the HTTP door at a steady rate, whether answers come or not, and tells how long each took.
import { Agent, request } from 'node:http'

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
  // Clients keep their connections.
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const replies: Replies = { tookMs: [], refused: 0 }
  const [first, all] = [warmUpS * perSecond, (warmUpS + forS) * perSecond]
  const from = performance.now()
  let [sent, answered] = [0, 0]
  const send = (n: number) => {
    const { id, token } = sessions[(n >> 1) % sessions.length]!
    const body = eventOf(id, n)
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const at = performance.now()
    const asked = request({ host: '127.0.0.1', port, path: '/v1/hook', method: 'POST', agent, headers }, answer => {
      if (answer.statusCode !== 200) replies.refused += 1
      answer.resume()
      answer.once('end', () => {
        if (n >= first) replies.tookMs.push(performance.now() - at)
        answered += 1
        if (answered === all) resolve(replies)
      })
    })
    asked.once('error', () => {
      replies.refused += 1
      resolve(replies)
    })
    asked.end(body)
  }
  const timer = setInterval(() => {
    const due = Math.min(all, ((performance.now() - from) / 1000) * perSecond)
    while (sent < due) send(sent++)
    if (sent === all) clearInterval(timer)
  }, 1)
  return promise
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
