import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import type { Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { claudeHeadless } from '../adapters/claude/headless.ts'
import { claudePane } from '../adapters/claude/pane.ts'
import { systemClock } from '../adapters/clock.ts'
import { readConfigFile, userConfigFile } from '../adapters/config-files.ts'
import { realDisk } from '../adapters/disk.ts'
import { gitRepository } from '../adapters/git/git-repository.ts'
import { takeLock } from '../adapters/lock.ts'
import { logFile } from '../adapters/log-file.ts'
import type { Ways } from '../adapters/notifier.ts'
import { textsIn } from '../adapters/texts.ts'
import { Tmux } from '../adapters/tmux.ts'
import { type ConfigValues, requireConfig, resolveConfig } from '../contract/config.ts'
import { homeOf, socketOf, tmuxSocketOf } from '../contract/home.ts'
import { thisProgram } from '../contract/hook-settings.ts'
import { DAEMON_EXIT, type Registration, STOPPED_MARK } from '../contract/registration.ts'
import { pricesIn } from '../core/agent/prices.ts'
import type { KeyedEffect } from '../core/effect.ts'
import { sessionOf } from '../core/run/run-state.ts'
import type { Clock, Disk, Driver, Repository } from '../ports.ts'
import { Commands } from './commands/commands.ts'
import { Freeze } from './commands/freeze.ts'
import { openDesk } from './desk.ts'
import { loopbackDoor, socketDoor } from './http/doors.ts'
import type { House } from './http/house.ts'
import { listenOnLoopback, listenOnSocket } from './http/listen.ts'
import { pausedAsking } from './inbox/paused-questions.ts'
import { QuestionClock } from './inbox/question-clock.ts'
import { RunQuestions } from './inbox/run-questions.ts'
import { Checkpoints } from './loops/checkpoints.ts'
import { Loops } from './loops/loops.ts'
import { StateFiles } from './loops/state-file.ts'
import { Merges } from './merges/merges.ts'
import { tellOfRun } from './notices/run-notices.ts'
import { Pools } from './pools/pools.ts'
import { Roles } from './pools/roles.ts'
import { TaskDesk } from './pools/task-desk.ts'
import { QuestTools } from './quests/quest-desk.ts'
import { Quests } from './quests/quests.ts'
import { RoleBook } from './roles/role-book.ts'
import type { Run } from './runtime/run.ts'
import { Runs } from './runtime/runs.ts'
import { Accounts } from './sessions/accounts.ts'
import { Environments } from './sessions/environments.ts'
import { Places } from './sessions/places.ts'
import { Sessions } from './sessions/sessions.ts'
import { Tokens } from './sessions/tokens.ts'
import { UnheardPanes } from './sessions/unheard-panes.ts'
import { GreenCache } from './ward/green-cache.ts'
import { WardPlans } from './ward/ward-plan.ts'
import { Watch } from './watch/watch.ts'
import { checkoutOf } from './worktrees/prune-worktree.ts'
import { Workplaces } from './worktrees/workplaces.ts'

export type Outside = {
  clock: Clock
  disk: Disk
  driver: Driver
  /** For sessions in panes. */
  pane: Driver
  repository: Repository
  /** Our own program, which the hooks of sessions start. */
  script: string
}

const REAL: Omit<Outside, 'script' | 'repository' | 'pane'> = {
  clock: systemClock,
  disk: realDisk,
  driver: claudeHeadless,
}

/** The whole daemon, from its state directory to its two doors. Resolves with the exit code when it has stopped. */
export async function runDaemon(
  version: string,
  env: Record<string, string | undefined>,
  outside: Partial<Outside> & Pick<Outside, 'script'>,
): Promise<number> {
  const { clock, disk, driver, script } = { ...REAL, ...outside }
  const home = resolve(homeOf(env))
  await mkdir(home, { recursive: true, mode: 0o700 })
  const lock = takeLock(join(home, 'daemon.lock'))
  if (!lock) return DAEMON_EXIT.steppedDown
  rmSync(join(home, STOPPED_MARK), { force: true })

  const config = requireConfig(resolveConfig({ env, user: await readConfigFile(userConfigFile(env).path) }))
  const log = logFile(join(home, 'daemon.log'), config['logs.keepMb'] * 1_000_000)
  const directoryOf = (run: string) => join(home, 'runs', run)
  const textsOf = (run: string) => textsIn(join(directoryOf(run), 'texts'), disk)
  const runs = new Runs({ runs: join(home, 'runs'), disk, clock, snapshotEvery: config['journal.snapshotEvery'] }, log)
  const places = new Places(clock, { max: config['sessions.max'], startsPerSecond: config['sessions.startsPerSecond'] })
  const tokens = await Tokens.open(join(home, 'key'), disk)
  const environments = new Environments(home, tokens)
  const postSurely: Runs['postSurely'] = (run, posting) => runs.postSurely(run, posting)
  const repository = outside.repository ?? gitRepository(env)
  const plans = new WardPlans(home, disk, repository)
  const workplaces = new Workplaces(home, disk, repository)
  const roles = new RoleBook(join(dirname(script), 'roles'))
  const commands = new Commands(runs, environments, textsOf, { runs, disk, repository, plans, workplaces, roles })
  await runs.load()
  const accounts = new Accounts(clock)
  for (const run of runs.all()) accounts.look(run)
  const watch = new Watch()
  const turnAway = (run: string, asked: string) => commands.turnAway(runs.find(run), asked)
  const desk = await openDesk({
    home,
    userHome: env.HOME,
    clock,
    disk,
    log,
    ways: waysOf(config),
    keepDays: config['history.keepDays'],
    prices: pricesIn(config.prices),
    runOf: session => runs.all().find(({ record }) => sessionOf(record.state)?.spec.session === session)?.id ?? null,
    turnAway,
    questionsChanged: () => questionClock.look(),
    watch,
  })
  const { agents } = desk
  const questionClock = new QuestionClock({ clock, inbox: desk.inbox, runs, log })
  const pane = outside.pane ?? claudePane(new Tmux(tmuxSocketOf(home)))
  const driverOf = (name: 'headless' | 'pane') => (name === 'pane' ? pane : driver)
  const command = thisProgram({ node: process.execPath, script })
  const hooks = () => ({ port: config['hooks.http'] === 'on' ? house.port : null, command })
  const sessions = new Sessions({
    driverOf,
    hooks,
    toolsPort: () => house.port,
    agents,
    unheard: new UnheardPanes({ agents, inbox: desk.inbox, turnAway, now: () => clock.now(), log }),
    places,
    accounts,
    environments,
    directoryOf,
    textsOf,
    postSurely,
    clock,
    placeOf: async run => (await quests.environmentOf(run)) ?? loops.environmentOf(run),
  })
  const stopping = new AbortController()
  const outsideOfLoops = {
    home,
    disk,
    driver,
    stopping: stopping.signal,
    agents,
    environments,
    repository,
    stateFiles: new StateFiles(),
    workplaces,
    greens: new GreenCache(join(home, 'greens')),
    directoryOf,
    textsOf,
    postSurely,
    log,
    now: () => clock.now(),
  }
  const loops: Loops = new Loops(
    outsideOfLoops,
    desk.inbox,
    run => void sessions.leave(run).catch(error => log(`run ${run.id}: ${(error as Error).message}`)),
  )

  const pausedQuestions = new RunQuestions(outsideOfLoops, desk.inbox, pausedAsking)
  const stopped = Promise.withResolvers<void>()
  const wardInTurn: Loops['wardInTurn'] = (run, ward) => loops.wardInTurn(run, ward)
  const pools = new Pools({ ...outsideOfLoops, runs, wardInTurn }, desk.inbox)
  const endWards = (run: Run) => loops.endWards(run)
  const quests: Quests = new Quests({ ...outsideOfLoops, runs, wardInTurn, endWards }, desk.inbox)

  const house: House = {
    ...desk,
    watching: watch,
    freeze: new Freeze(home, disk, runs, commands),
    now: () => clock.now(),
    home,
    port: 0,
    registration: registrationOf(version, 0, socketOf(home, env, process.getuid?.() ?? 0), clock.now()),
    runs,
    commands,
    plans,
    tasks: new TaskDesk({ runs, textsOf }),
    roles: new Roles(runs, home),
    quests: new QuestTools({ runs, textsOf }),
    checkpoints: new Checkpoints({ repository, runs, home, workplaces }),
    merges: new Merges(outsideOfLoops),
    places,
    accounts,
    tokens,
    directoryOf,
    textsOf,
    log,
    warnings: () => noticesIn(home),
    stopSoon(why, isReplaced = false) {
      log(`stopping: ${why}`)
      // Before anybody who follows is sent away: they look for it.
      if (!isReplaced) leaveMark(join(home, STOPPED_MARK))
      stopped.resolve()
    },
    stopping: stopping.signal,
  }
  const wished = config['daemon.port'] || portBefore(home)
  const loopback = await listenOnLoopback(loopbackDoor(house), wished)
  if (wished !== 0 && loopback.port !== wished) {
    log(`port ${wished} is taken by another program, so this is port ${loopback.port}: older sessions cannot reach it`)
  }
  house.port = loopback.port
  house.registration.port = loopback.port
  const registration = join(home, 'daemon.json')
  await disk.replace(registration, `${JSON.stringify(house.registration)}\n`)
  await disk.replace(join(home, 'port'), `${loopback.port}\n`)
  // Last: whoever is answered there can rely on the files.
  const socket = await listenOnSocket(socketDoor(house), house.registration.socket)
  log(`version ${version} serves as process ${process.pid} on port ${loopback.port}, ${runs.all().length} runs`)

  process.on('SIGTERM', () => house.stopSoon('SIGTERM'))
  process.on('SIGINT', () => house.stopSoon('SIGINT'))
  process.on('SIGHUP', () => {})
  sessions.recover(runs.all()).catch(error => log(`panes of ended runs: ${(error as Error).message}`))
  loops.recover(runs.all())
  pools.recover(runs.all())
  quests.recover(runs.all())
  // Whoever waits asks again from now on.
  questionClock.start()
  // Before any run makes new ones. Somebody who stops the daemon meanwhile does not wait for it.
  const cleaned = repository
    .dropLeftovers(worksOf(runs.all(), clock.now()))
    .catch(error => log((error as Error).message))
    .then(() => true)
  if (await Promise.race([cleaned, stopped.promise.then(() => false)]))
    runs.recover((run, effect) => perform({ sessions, loops, pools, quests }, run, effect))
  runs.watch(run => {
    accounts.look(run)
    tellOfRun(run, desk.notices, clock.now())
    pausedQuestions.look(run)
    questionClock.lookAt(run)
    watch.run(run)
  })
  desk.watch()
  // What Node compiled is else kept when we end, which may be in weeks, or by a kill: the next start shall be fast now.
  flushCompileCache()

  await stopped.promise
  stopping.abort()
  sessions.stop()
  await Promise.all([close(socket), close(loopback.server)])
  await runs.close()
  await Promise.all([loops.settle(), pools.settle(), quests.settle()])
  await desk.close()
  // Whoever ends in order has lived well since.
  rmSync(join(home, 'notice'), { force: true })
  // Log before removing the registration: `daemon stop` returns as soon as the registration is gone.
  log('stopped')
  rmSync(registration, { force: true })
  rmSync(house.registration.socket, { force: true })
  lock.release()
  return DAEMON_EXIT.stopped
}

// What a daemon that was killed left half made is found by the next, hours later at most.
const CUT_OFF_MS = 24 * 3_600_000

/** Runs for which a daemon before us may have been at work in a repository, with its directory. */
function worksOf(runs: Run[], now: number): { run: string; directory: string }[] {
  const recent = runs.filter(({ record }) => now - (record.state.endedAt ?? now) < CUT_OFF_MS)
  return recent.flatMap(({ id, record: { state } }) =>
    state.kind === 'session' ? [] : [{ run: id, directory: checkoutOf(state) }],
  )
}

type Performers = { sessions: Sessions; loops: Loops; pools: Pools; quests: Quests }

function perform(performers: Performers, run: Run, { key, effect }: KeyedEffect): Promise<void> {
  const { sessions, loops, pools, quests } = performers
  if (run.record.state.kind === 'quest') return quests.perform(run, { key, effect })
  switch (effect.do) {
    case 'run-session':
      return sessions.run(run, key, effect)
    case 'end-session':
      return sessions.end(run, key, effect)
    case 'type-text':
      return sessions.type(run, key, effect)
    case 'open-pool':
    case 'run-child':
    case 'pass-on':
    case 'tell-children':
    case 'read-tasks':
    case 'merge-task':
      return pools.perform(run, { key, effect })
    default:
      return loops.perform(run, { key, effect })
  }
}

function waysOf(config: ConfigValues): Ways {
  const url = config['notify.webhook']
  return {
    bell: config['notify.bell'] === 'on',
    desktop: config['notify.desktop'] === 'on',
    webhook: url ? { url, secret: config['notify.secret'] } : null,
  }
}

function registrationOf(version: string, port: number, socket: string, now: number): Registration {
  return { id: randomUUID(), pid: process.pid, startedAt: new Date(now).toISOString(), version, port, socket }
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
    // A full disk must not keep us from stopping; somebody who follows may then start us again.
  }
}

/** What the supervisor left for us to say. */
function noticesIn(home: string): string[] {
  const path = join(home, 'notice')
  return existsSync(path) ? [readFileSync(path, 'utf8').slice(0, 1000).trim()] : []
}

/** What is being answered may end; those who follow are sent away and come back to whoever serves next. */
function close(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve())
    setTimeout(() => server.closeAllConnections(), 500).unref()
    server.closeIdleConnections()
  })
}
