import { Hono } from 'hono'
import { type DaemonStatus, StopRequest, ThawRequest } from '../../contract/api.ts'
import { BODY_LIMIT } from '../../contract/body-limit.ts'
import { PruneRequest } from '../../contract/checkpoint-api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { find } from '../watch/find-by-id.ts'
import { summary } from '../watch/show.ts'
import { agentRoutes } from './agent-routes.ts'
import { bodyOf, onError, refuse } from './answers.ts'
import { bounded } from './bounded.ts'
import { configRoutes } from './config-routes.ts'
import { doctorRoutes } from './doctor-routes.ts'
import { commandHookDoor, sessionHookDoor } from './hook-door.ts'
import type { House } from './house.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { initRoutes } from './init-routes.ts'
import type { Door } from './listen.ts'
import { requireOwnHost, requireSession, sessionOfToken } from './loopback-guard.ts'
import { mcpRoutes } from './mcp-routes.ts'
import { ruleRoutes } from './rule-routes.ts'
import { runRoutes } from './run-routes.ts'
import { streamed } from './streamed.ts'
import { taskRoutes } from './task-routes.ts'

/** The door for its user: a Unix socket that nobody else can open, so that no token is needed. */
export function socketDoor(house: House): Door {
  const app = door(house)
  app.get('/v1/status', c => c.json(statusOf(house)))
  app.post('/v1/stop', async c => {
    const { version } = await bodyOf(c, StopRequest)
    house.stopSoon(version === null ? 'stop' : `version ${version} takes over`, version !== null)
    return c.json({ stopping: true })
  })
  app.route('/v1/runs', runRoutes(house))
  app.post('/v1/freeze', async c => c.json({ runs: await house.freeze.freeze() }))
  app.post('/v1/thaw', async c => c.json({ runs: await house.freeze.thaw((await bodyOf(c, ThawRequest)).environment) }))
  app.route('/v1/tasks', taskRoutes(house))
  app.post('/v1/prune', async c => {
    return c.json(await house.checkpoints.prune((await bodyOf(c, PruneRequest)).checkpoints))
  })
  app.route('/v1/config', configRoutes())
  app.route('/v1/agents', agentRoutes(house))
  app.get('/v1/find', c => c.json(find(house, (c.req.query('id') ?? '').slice(0, 200))))
  app.get('/v1/watch', c => streamed(c, house.stopping, signal => house.watching.read(house, signal)))
  app.post('/v1/peer', c => c.json(house.peers.invite()))
  app.route('/v1/inbox', inboxRoutes(house))
  app.route('/v1/rules', ruleRoutes(house))
  app.route('/v1/init', initRoutes())
  app.route('/v1/doctor', doctorRoutes(house))
  return { first: commandHookDoor(house), app }
}

/** The door on 127.0.0.1: a session's token reaches that session and nothing else. */
export function loopbackDoor(house: House): Door {
  const app = door(house)
  app.use(async (c, next) => {
    requireOwnHost(house, c.req.header('host'), c.req.header('origin'))
    return next()
  })
  const { quests, registration, log } = house
  const ofToken = (authorization: string | undefined) => sessionOfToken(house, authorization)
  app.route('/mcp', mcpRoutes({ desk: quests, version: registration.version, log, sessionOf: ofToken }))
  app.get('/v1/session', c => {
    const session = requireSession(house, c.req.header('authorization'))
    const run = house.runs.findBySession(session)
    if (!run) return refuse(c, new RehoboamError('run-unknown', 'the run of this session is gone'))
    return c.json({ session, run: summary(run) })
  })
  app.all('*', c => {
    requireSession(house, c.req.header('authorization'))
    return refuse(c, new RehoboamError('scope-refused', 'the token of a session reaches that session and nothing else'))
  })
  return { first: sessionHookDoor(house), app }
}

function door(house: House): Hono {
  const app = new Hono()
  app.onError(onError(house.log))
  app.notFound(c => refuse(c, new RehoboamError('route-unknown', 'there is nothing at this address')))
  app.use(bounded(BODY_LIMIT))
  return app
}

function statusOf(house: House): DaemonStatus {
  const runs = house.runs.all()
  return {
    ...house.registration,
    home: house.home,
    sessions: house.places.taken,
    runs: { active: runs.filter(({ record }) => record.state.status === 'active').length, all: runs.length },
    notices: house.warnings(),
  }
}
