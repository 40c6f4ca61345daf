import { Hono } from 'hono'
import { branchOf } from '../../adapters/git/branch.ts'
import type { AgentDetail } from '../../contract/agent-detail.ts'
import { TellRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { agentDetail } from '../../core/agent/detail.ts'
import { agentLog } from '../agents/read-agent-log.ts'
import { tellAgent } from '../agents/tell-agent.ts'
import { shownQuestion } from '../inbox/inbox.ts'
import { bodyOf } from './answers.ts'
import type { House } from './house.ts'
import { streamed } from './streamed.ts'

const HISTORY_SHOWN = 200

export function agentRoutes(house: House): Hono {
  const app = new Hono()
  app.get('/', c => c.json(house.agents.list()))
  app.get('/:id', async c => c.json(await detailOf(house, c.req.param('id'))))
  app.post('/:id/tell', async c => {
    const { text } = await bodyOf(c, TellRequest)
    const facts = house.agents.facts(c.req.param('id'))
    await tellAgent(facts, text, house.now())
    return c.json(house.agents.summary(facts.session))
  })
  app.get('/:id/log', c => {
    const { session } = house.agents.facts(c.req.param('id'))
    const after = c.req.query('after') ?? c.req.header('last-event-id')
    if (after !== undefined && !/^\d{1,15}$/.test(after)) throw new RehoboamError('bad-request', 'after: not a byte')
    return streamed(c, house.stopping, signal =>
      agentLog({
        path: () => (house.agents.has(session) ? house.agents.facts(session).transcript : ''),
        isOver: () => !house.agents.has(session) || OVER.has(house.agents.summary(session).status),
        from: after === undefined ? null : Number(after),
        signal,
      }),
    )
  })
  return app
}

/** A failed one is over only when its process is: its user may go on. */
const OVER = new Set(['done', 'gone'])

async function detailOf(house: House, id: string): Promise<AgentDetail> {
  const facts = house.agents.facts(id)
  const history = await house.history.of(facts.session, HISTORY_SHOWN)
  return {
    ...agentDetail(facts, house.now(), ms => new Date(ms).toISOString()),
    branch: await branchOf(facts.cwd || '/'),
    questions: house.inbox
      .list()
      .filter(({ agent }) => agent === facts.session)
      .map(shownQuestion),
    history: history.map(({ at, agentId, name, tool, words, ms, failed }) => {
      return { at: new Date(at).toISOString(), agentId, name, tool, words, ms, failed }
    }),
  }
}
