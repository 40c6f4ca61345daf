import { type Context, Hono } from 'hono'
import { RehoboamError } from '../../contract/errors.ts'
import { TASK_VERBS, TaskRequest } from '../../contract/task-api.ts'
import { bodyOf } from './answers.ts'
import type { House } from './house.ts'

/** Tasks by hand. With a session's token it is that session's agent who asks, and may use its own task only. */
export function taskRoutes(house: House): Hono {
  const app = new Hono()
  app.post('/list', async c => c.json(await house.tasks.list(await bodyOf(c, TaskRequest))))
  for (const verb of TASK_VERBS) {
    app.post(`/${verb}`, async c => c.json(await house.tasks[verb](await bodyOf(c, TaskRequest), sessionIn(house, c))))
  }
  return app
}

function sessionIn(house: House, c: Context): string | null {
  const header = c.req.header('authorization')
  if (header === undefined) return null
  const session = house.tokens.sessionOf(header.replace(/^Bearer /, ''))
  if (session) return session
  throw new RehoboamError('token-refused', 'this is not the token of a session')
}
