import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { ResumeRequest, SpawnRequest, TellRequest } from '../../contract/api.ts'
import { FeedCursor, START } from '../../contract/feed.ts'
import { feedOf } from '../feed.ts'
import type { House } from '../house.ts'
import { detail, summary } from '../show.ts'
import { bodyOf, check } from './answers.ts'

// Something must move now and then, or a reader behind a proxy, and we ourselves, would not notice that the other is gone.
const HEARTBEAT_MS = 15_000

export function runRoutes(house: House): Hono {
  const app = new Hono()
  const runOf = (id: string) => house.runs.find(id)

  app.get('/', c => c.json(house.runs.all().map(summary)))
  app.post('/', async c => c.json(await house.commands.spawn(await bodyOf(c, SpawnRequest)), 201))
  app.get('/:id', async c => {
    const run = runOf(c.req.param('id'))
    return c.json(await detail(run, house.directoryOf(run.id), house.textsOf(run.id)))
  })
  app.post('/:id/cancel', async c => {
    const run = runOf(c.req.param('id'))
    await house.commands.cancel(run)
    return c.json(summary(run))
  })
  app.post('/:id/pause', async c => {
    const run = runOf(c.req.param('id'))
    await house.commands.pause(run)
    return c.json(summary(run))
  })
  app.post('/:id/tell', async c => {
    const run = runOf(c.req.param('id'))
    const { text } = await bodyOf(c, TellRequest)
    await house.commands.tell(run, text)
    return c.json(summary(run))
  })
  app.post('/:id/resume', async c => {
    const run = runOf(c.req.param('id'))
    await house.commands.resume(run, await bodyOf(c, ResumeRequest))
    return c.json(summary(run))
  })
  app.get('/:id/feed', c => {
    const run = runOf(c.req.param('id'))
    const after = c.req.query('after') ?? c.req.header('last-event-id')
    const from = after === undefined ? START : check(FeedCursor, after)
    return streamSSE(c, async stream => {
      const left = new AbortController()
      const signal = AbortSignal.any([left.signal, house.stopping])
      stream.onAbort(() => left.abort())
      const beat = setInterval(() => void stream.write(': \n\n'), HEARTBEAT_MS)
      try {
        for await (const { cursor, ...item } of feedOf(run, house.directoryOf(run.id), from, signal)) {
          await stream.writeSSE({ id: cursor, data: JSON.stringify(item) })
        }
      } finally {
        clearInterval(beat)
        left.abort()
      }
    })
  })
  return app
}
