import { Hono } from 'hono'
import { PlanRequest, StepRequest } from '../../contract/quest.ts'
import { approvePlan, editPlan, retryStep, skipStep } from '../quests/quest-commands.ts'
import { detail, summary } from '../watch/show.ts'
import { bodyOf } from './answers.ts'
import type { House } from './house.ts'

/** What people do with the steps of a quest. */
export function questRoutes(house: House): Hono {
  const app = new Hono()
  const runOf = (id: string) => house.runs.find(id)
  app.post('/:id/retry', async c => {
    const run = runOf(c.req.param('id'))
    await retryStep(run, (await bodyOf(c, StepRequest)).step)
    return c.json(summary(run))
  })
  app.post('/:id/skip', async c => {
    const run = runOf(c.req.param('id'))
    return c.json({ ...summary(run), skipped: await skipStep(run, (await bodyOf(c, StepRequest)).step) })
  })
  app.post('/:id/approve', async c => {
    const run = runOf(c.req.param('id'))
    await approvePlan(run, house.textsOf(run.id))
    return c.json(summary(run))
  })
  app.post('/:id/plan', async c => {
    const run = runOf(c.req.param('id'))
    await editPlan(run, house.textsOf(run.id), await bodyOf(c, PlanRequest))
    return c.json(await detail(run, house))
  })
  return app
}
