import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { join, resolve } from 'node:path'
import { readConfigFile, userConfigFile } from '../adapters/config-files.ts'
import { realDisk } from '../adapters/disk.ts'
import { takeLock } from '../adapters/lock.ts'
import { systemClock } from '../adapters/system-clock.ts'
import type { ConfigValues } from '../config/keys.ts'
import { requireConfig, resolveConfig } from '../config/resolve.ts'
import { homeOf } from '../contract/home.ts'
import { DAEMON_EXIT, STOPPED_MARK } from '../contract/registration.ts'
import { build, type Daemon, type Outside } from './build.ts'
import { loopbackDoor, socketDoor } from './http/doors.ts'
import { listenOnLoopback, listenOnSocket } from './http/listen.ts'
import { tellOfRun } from './notices/run-notices.ts'
import { perform } from './perform.ts'
import type { Run } from './runtime/live-run.ts'
import { checkoutOf } from './worktrees/prune-worktree.ts'

const REAL = { clock: systemClock, disk: realDisk }

/** Runs the whole daemon, from its state directory to its two doors. Resolves with the exit code when it has stopped. */
export async function runDaemon(
  version: string,
  env: Record<string, string | undefined>,
  given: Partial<Outside> & Pick<Outside, 'script'>,
): Promise<number> {
  const outside = { ...REAL, ...given }
  const home = resolve(homeOf(env))
  await mkdir(home, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(home, 'daemon.lock'))
  if (!lock) return DAEMON_EXIT.steppedDown
  rmSync(join(home, STOPPED_MARK), { force: true })
  const config = requireConfig(resolveConfig({ env, user: await readConfigFile(userConfigFile(env).path) }))

  const stopped = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const daemon = await build({
    ...outside,
    version,
    home,
    env,
    config,
    stopping: stopping.signal,
    stop(isReplaced) {
      // Before the followers are sent away: they look for it.
      if (!isReplaced) leaveMark(join(home, STOPPED_MARK))
      stopped.resolve()
    },
  })
  // Before anybody can reach us: a signal must never find a daemon that answers and does not listen to it.
  process.on('SIGTERM', () => daemon.house.stopSoon('SIGTERM'))
  process.on('SIGINT', () => daemon.house.stopSoon('SIGINT'))
  process.on('SIGHUP', () => {})
  const servers = await serve(daemon, config, outside.disk)
  await recover(daemon, stopped.promise)
  follow(daemon)
  // Flush the compile cache now. Node would otherwise write it only at exit, and never after a kill.
  flushCompileCache()

  await stopped.promise
  stopping.abort()
  await close(daemon, servers)
  lock.release()
  return DAEMON_EXIT.stopped
}

/** Opens both doors. The socket comes last: a command that is answered there can rely on the files. */
async function serve({ house }: Daemon, config: ConfigValues, disk: Outside['disk']): Promise<Server[]> {
  const { home, registration, runs, log } = house
  const wished = config['daemon.port'] || portBefore(home)
  const loopback = await listenOnLoopback(loopbackDoor(house), wished)
  if (wished !== 0 && loopback.port !== wished) {
    log(`port ${wished} is taken by another program, so this is port ${loopback.port}: older sessions cannot reach it`)
  }
  registration.port = loopback.port
  await disk.replace(join(home, 'daemon.json'), `${JSON.stringify(registration)}\n`)
  await disk.replace(join(home, 'port'), `${loopback.port}\n`)
  const { version, pid, port, socket } = registration
  log(`version ${version} serves as process ${pid} on port ${port}, ${runs.all().length} runs`)
  return [loopback.server, await listenOnSocket(socketDoor(house), socket)]
}

/** Takes back what earlier daemons left: panes, files for people, worktrees, effects without an outcome. */
async function recover({ house, repository, performers, questionClock }: Daemon, stopped: Promise<void>) {
  const { runs, log } = house
  const { sessions, loops, pools, quests } = performers
  const all = runs.all()
  sessions.recover(all).catch(error => log(`panes of ended runs: ${(error as Error).message}`))
  loops.recover(all)
  pools.recover(all)
  quests.recover(all)
  questionClock.start()
  // Before any run makes new ones. A stop meanwhile does not wait for it.
  const cleaned = repository
    .dropLeftovers(recentWork(all, house.now()))
    .catch(error => log((error as Error).message))
    .then(() => true)
  const isCleaned = await Promise.race([cleaned, stopped.then(() => false)])
  if (isCleaned) runs.recover((run, effect) => perform(performers, run, effect))
}

/** From now on, every event of a run reaches those who look on. */
function follow({ house, desk, questionClock, pausedQuestions }: Daemon): void {
  house.runs.watch(run => {
    house.accounts.look(run)
    tellOfRun(run, house.notices, house.now())
    pausedQuestions.look(run)
    questionClock.lookAt(run)
    house.watching.run(run)
  })
  desk.watch()
}

async function close({ house, desk, performers }: Daemon, servers: Server[]): Promise<void> {
  const { home, registration, runs, log } = house
  const { sessions, loops, pools, quests } = performers
  sessions.stop()
  await Promise.all(servers.map(closeServer))
  await runs.close()
  await Promise.all([loops.settle(), pools.settle(), quests.settle()])
  await desk.close()
  // An orderly end means that we have lived well since the supervisor left its notice.
  rmSync(join(home, 'notice'), { force: true })
  // Log before removing the registration: `daemon stop` returns as soon as the registration is gone.
  log('stopped')
  rmSync(join(home, 'daemon.json'), { force: true })
  rmSync(registration.socket, { force: true })
}

// What a daemon that was killed left half made is found by the next, hours later at most.
const CUT_OFF_MS = 24 * 3_600_000

/** Runs for which an earlier daemon may have been at work in a repository, with its directory. */
function recentWork(runs: Run[], now: number): { run: string; directory: string }[] {
  const recent = runs.filter(({ record }) => now - (record.state.endedAt ?? now) < CUT_OFF_MS)
  return recent.flatMap(({ id, record: { state } }) =>
    state.kind === 'session' ? [] : [{ run: id, directory: checkoutOf(state) }],
  )
}

/** Sessions that outlived the last daemon report to its port. */
function portBefore(home: string): number {
  const path = join(home, 'port')
  const port = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  return Number.isInteger(port) && port > 1023 && port < 65_536 ? port : 0
}

function leaveMark(path: string): void {
  try {
    writeFileSync(path, '', { mode: 0o600 })
  } catch {
    // A full disk must not keep us from stopping. A command that follows may then start us again.
  }
}

/** Requests under way may end. Followers are sent away and come back to the next daemon. */
function closeServer(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    setTimeout(() => server.closeAllConnections(), 500).unref()
    server.closeIdleConnections()
  })
}
