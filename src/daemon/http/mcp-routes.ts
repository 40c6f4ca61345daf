import { Hono } from 'hono'
import { RehoboamError } from '../../contract/errors.ts'
import type { QuestDesk } from '../quests/quest-desk.ts'
import { refuse } from './answers.ts'

type Door = {
  desk: QuestDesk
  version: string
  log(line: string): void
  /** The session whose token this header carries. */
  sessionOf(header: string | undefined): string | null
}

/** The tools of a quest's sessions: MCP over HTTP, on loopback, with the session's own token. */
export function mcpRoutes({ desk, version, log, sessionOf }: Door): Hono {
  const app = new Hono()
  app.all('/', async c => {
    const id = sessionOf(c.req.header('authorization'))
    if (!id) return refuse(c, new RehoboamError('token-refused', 'a token of a session is needed'))
    if (c.req.method !== 'POST') {
      // We never speak first, so there is no stream to open and no session of the protocol's own to end.
      c.header('allow', 'POST')
      return refuse(c, new RehoboamError('method-refused', 'messages are posted here, one at a time'))
    }
    const session = desk.find(id)
    if (!session) return refuse(c, new RehoboamError('scope-refused', 'only a session of a quest has tools here'))
    const body: unknown = await c.req.json().catch(() => undefined)
    if (body === undefined) return refuse(c, new RehoboamError('bad-json', 'the body is not JSON'))
    // The protocol has given lists up; a list of signals would be applied in no order that anybody promised.
    if (Array.isArray(body)) return refuse(c, new RehoboamError('bad-request', 'messages are posted one at a time'))
    // The protocol's library is large, and a daemon without quests never needs it.
    const { answerMcp } = await import('../mcp/mcp-server.ts')
    return answerMcp({ desk, session, version, log }, c.req.raw, body)
  })
  return app
}
