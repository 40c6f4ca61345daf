import { Hono } from 'hono'
import type { House } from '../house.ts'

export function agentRoutes(house: House): Hono {
  const app = new Hono()
  app.get('/', c => c.json(house.agents.list()))
  app.get('/:id', c => {
    const facts = house.agents.facts(c.req.param('id'))
    const { witness: _, unknown, ...shown } = facts
    const history = house.history.of(facts.session, 200)
    return c.json({ ...house.agents.summary(facts.session), facts: { ...shown, unknownEvents: unknown }, history })
  })
  return app
}
