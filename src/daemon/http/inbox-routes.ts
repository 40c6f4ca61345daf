import { Hono } from 'hono'
import * as z from 'zod'
import { RehoboamError } from '../../contract/errors.ts'
import { PEER_HEADER } from '../../contract/peer-header.ts'
import { AnswerRequest, type InboxState, RefusedAttempt } from '../../contract/question.ts'
import { shownQuestion } from '../inbox/inbox.ts'
import { bodyOf } from './answers.ts'
import type { House } from './house.ts'

const Mute = z.strictObject({ forMs: z.number().int().min(0).max(31_536_000_000) })

export function inboxRoutes(house: House): Hono {
  const app = new Hono()
  app.get('/', c => c.json(house.inbox.list().map(shownQuestion)))
  app.get('/state', c => {
    const questions = house.inbox.list().map(shownQuestion)
    return c.json({ questions, mutedUntil: house.notices.mutedUntil(), bell: house.bell } satisfies InboxState)
  })
  app.post('/mute', async c => c.json({ until: house.notices.mute((await bodyOf(c, Mute)).forMs) }))
  app.post('/refused', async c => {
    const { command, question, session, run } = await bodyOf(c, RefusedAttempt)
    const text = `rehoboam ${command} from inside an agent`
    const at = new Date(house.now()).toISOString()
    await house.audit.add({
      at,
      what: 'refused',
      question,
      agent: session,
      run,
      text,
      answer: null,
      by: 'agent',
      rule: null,
    })
    return c.json({})
  })
  app.get('/audit', async c => c.json(await house.audit.recent(200)))
  app.post('/:id/answer', async c => {
    const { answer, face, always } = await bodyOf(c, AnswerRequest)
    const command = answer.kind === 'text' ? 'answer' : answer.kind
    await house.peers.refuseAgents(c.req.header(PEER_HEADER), { command, question: c.req.param('id') })
    const open = house.inbox.find(c.req.param('id'))
    if (open?.kind === 'question' && answer.kind === 'allow') {
      throw new RehoboamError(
        'usage',
        `it is a question, not a permission; rehoboam answer ${c.req.param('id')} "<text>"`,
      )
    }
    if (open?.kind === 'trust' && answer.kind !== 'text') {
      throw new RehoboamError(
        'usage',
        `only its pane takes an answer to that; rehoboam open ${open.run}, or put it aside: rehoboam answer ${c.req.param('id')} "seen"`,
      )
    }
    // What cannot become a rule is said before anything is answered; a rule is made only by whoever answered first.
    const plan = open && always !== 'no' ? house.rules.plan(open, answer, always) : null
    const question = await house.inbox.answer(c.req.param('id'), answer, face)
    const rules = plan ? await house.rules.addAll(plan, face) : []
    return c.json({ question: shownQuestion(question), rules })
  })
  return app
}
