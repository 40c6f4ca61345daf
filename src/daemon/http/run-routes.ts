import { Hono } from 'hono'
import { isTmuxThere } from '../../adapters/tmux.ts'
import { OpenRequest, ResumeRequest, SpawnRequest, TellRequest, VerdictRequest } from '../../contract/api.ts'
import { RestoreRequest } from '../../contract/checkpoint-api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { FeedCursor, START } from '../../contract/feed.ts'
import { MergeRequest } from '../../contract/merge-api.ts'
import type { RunStanding } from '../../contract/run.ts'
import { WardPlanRequest } from '../../contract/ward-plan.ts'
import { sessionOf } from '../../core/run/run-state.ts'
import { refuseWhileAsking } from '../agents/tell-agent.ts'
import { paneReady } from '../sessions/pane-ready.ts'
import { feedOf } from '../watch/run-feed.ts'
import { detail, summary } from '../watch/show.ts'
import { bodyOf, check } from './answers.ts'
import type { House } from './house.ts'
import { questRoutes } from './quest-routes.ts'
import { streamed } from './streamed.ts'

export function runRoutes(house: House): Hono {
  const app = new Hono()
  const runOf = (id: string) => house.runs.find(id)

  app.get('/', c => {
    const { runs, inbox } = house
    return c.json(runs.all().map(run => ({ ...summary(run), asks: inbox.about(run.id).length })))
  })
  app.post('/', async c => c.json(await house.commands.spawn(await bodyOf(c, SpawnRequest)), 201))
  // What a loop would be checked with: asked before it exists.
  app.post('/ward', async c => c.json(await house.plans.with(await bodyOf(c, WardPlanRequest))))
  app.get('/:id', async c => {
    const run = runOf(c.req.param('id'))
    const found = await detail(run, house)
    if (c.req.query('disk') !== '1') return c.json(found)
    return c.json({ ...found, diskBytes: await house.checkpoints.diskUse(run, found.directory) })
  })
  // For those who follow, after each event: the whole of a run reads its disk.
  app.get('/:id/standing', c => {
    const { state, seq } = runOf(c.req.param('id')).record
    return c.json({ status: state.status, seq } satisfies RunStanding)
  })
  for (const command of ['cancel', 'pause', 'reject'] as const) {
    app.post(`/:id/${command}`, async c => {
      const run = runOf(c.req.param('id'))
      await house.commands[command](run)
      return c.json(summary(run))
    })
  }
  app.post('/:id/verdict', async c => {
    const run = runOf(c.req.param('id'))
    const { iteration, wrong } = await bodyOf(c, VerdictRequest)
    await house.commands.markWrong(run, iteration, wrong)
    return c.json(summary(run))
  })
  app.get('/:id/diff', async c => {
    return c.json(await house.checkpoints.diff(runOf(c.req.param('id')), c.req.query('stat') === '1'))
  })
  app.post('/:id/merge', async c => {
    return c.json(await house.merges.merge(runOf(c.req.param('id')), await bodyOf(c, MergeRequest)))
  })
  app.post('/:id/restore', async c => {
    const request = await bodyOf(c, RestoreRequest)
    return c.json(await house.checkpoints.restore(runOf(c.req.param('id')), request))
  })
  app.post('/:id/tell', async c => {
    const run = runOf(c.req.param('id'))
    const { text } = await bodyOf(c, TellRequest)
    const { state } = run.record
    const { driver, session } = (sessionOf(state) ?? state).spec
    // It is typed into the pane: there it would answer a prompt that waits on the screen.
    if (driver === 'pane' && house.agents.has(session)) refuseWhileAsking(house.agents.facts(session), house.now())
    const typedTo = sessionOf(state)
    if (typedTo) await paneReady(house.agents, typedTo)
    await house.commands.tell(run, text)
    return c.json({ ...summary(run), driver })
  })
  app.post('/:id/resume', async c => {
    const run = runOf(c.req.param('id'))
    await house.commands.resume(run, await bodyOf(c, ResumeRequest))
    return c.json(summary(run))
  })
  app.post('/:id/open', async c => {
    const run = runOf(c.req.param('id'))
    const request = await bodyOf(c, OpenRequest)
    if (!(await isTmuxThere())) {
      throw new RehoboamError('no-tmux', 'tmux is not there, and a pane needs it; install it with your package manager')
    }
    await house.commands.takeOver(run, request)
    return c.json(summary(run))
  })
  app.route('/', questRoutes(house))
  app.get('/:id/feed', c => {
    const run = runOf(c.req.param('id'))
    const after = c.req.query('after') ?? c.req.header('last-event-id')
    const from = after === undefined ? START : check(FeedCursor, after)
    const follows = c.req.query('follow') !== '0'
    return streamed(c, house.stopping, signal => feedOf(run, house.directoryOf(run.id), from, signal, follows))
  })
  return app
}
