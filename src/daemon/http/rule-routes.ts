import { Hono } from 'hono'
import * as z from 'zod'
import { PEER_HEADER } from '../../contract/peer-header.ts'
import { Face } from '../../contract/question.ts'
import { RuleEffect, RuleScope } from '../../contract/rule.ts'
import { vainBecause } from '../../core/inbox/rules/advice.ts'
import { bodyOf } from './answers.ts'
import type { House } from './house.ts'

const Addition = z.strictObject({ text: z.string().min(1).max(2000), effect: RuleEffect, scope: RuleScope, face: Face })
const Removal = z.strictObject({ id: z.string().max(20), face: Face })

export function ruleRoutes(house: House): Hono {
  const app = new Hono()
  app.get('/', c => c.json(house.rules.list()))
  app.post('/', async c => {
    const { text, effect, scope, face } = await bodyOf(c, Addition)
    await house.peers.refuseAgents(c.req.header(PEER_HEADER), { command: 'rules add', question: null })
    const rule = await house.rules.add(text, effect, scope, face)
    return c.json({ ...rule, note: effect === 'allow' ? vainBecause(rule) : null }, 201)
  })
  app.post('/remove', async c => {
    const { id, face } = await bodyOf(c, Removal)
    await house.peers.refuseAgents(c.req.header(PEER_HEADER), { command: 'rules rm', question: null })
    return c.json(await house.rules.remove(id, face))
  })
  return app
}
