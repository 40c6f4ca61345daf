import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claudePane } from '../adapters/claude/claude-pane.ts'
import { claudeHeadless } from '../adapters/claude/headless.ts'
import { gitRepository } from '../adapters/git/git-repository.ts'
import { logFile } from '../adapters/log-file.ts'
import type { Ways } from '../adapters/notifier.ts'
import { textsIn } from '../adapters/texts.ts'
import { Tmux } from '../adapters/tmux.ts'
import type { ConfigValues } from '../config/keys.ts'
import { socketOf, tmuxSocketOf } from '../contract/home.ts'
import { thisProgram } from '../contract/hook-settings.ts'
import type { Registration } from '../contract/registration.ts'
import { pricesIn } from '../core/agent/prices.ts'
import type { Clock, Disk, Driver, Repository } from '../ports.ts'
import { Commands } from './commands/commands.ts'
import { Freeze } from './commands/freeze.ts'
import { openDesk } from './desk.ts'
import type { House } from './http/house.ts'
import { pausedAsking } from './inbox/paused-questions.ts'
import { QuestionClock } from './inbox/question-clock.ts'
import { RunQuestions } from './inbox/run-questions.ts'
import { Checkpoints } from './loops/checkpoints.ts'
import { Loops } from './loops/loops.ts'
import { StateFiles } from './loops/state-file.ts'
import { ownEnvironment } from './loops/workplace.ts'
import { Merges } from './merges/merges.ts'
import { Parents } from './parent/parents.ts'
import { poolFamily } from './pools/pools.ts'
import { TaskDesk } from './pools/task-desk.ts'
import { QuestTools } from './quests/answer-quest-tools.ts'
import { questFamily } from './quests/quests.ts'
import { roleEnvironment } from './quests/role-place.ts'
import { RoleBook } from './roles/role-book.ts'
import { RoleGuards } from './roles/role-guards.ts'
import type { Run } from './runtime/live-run.ts'
import { Runs } from './runtime/runs.ts'
import { Accounts } from './sessions/accounts.ts'
import { Environments } from './sessions/environments.ts'
import { Places } from './sessions/places.ts'
import { Sessions } from './sessions/sessions.ts'
import { Tokens } from './sessions/tokens.ts'
import { UnheardPanes } from './sessions/unheard-panes.ts'
import { GreenCache } from './ward/green-cache.ts'
import { WardPlans } from './ward/ward-plans.ts'
import { WardTurns } from './ward/ward-turns.ts'
import { Watch } from './watch/watch-readers.ts'
import { Workplaces } from './worktrees/workplaces.ts'

/** The outside that a daemon works with. */
export type Outside = {
  clock: Clock
  disk: Disk
  /** For sessions without a terminal. */
  headless?: Driver
  /** For sessions in panes. */
  pane?: Driver
  repository?: Repository
  /** Our own program, which the hooks of sessions start. */
  script: string
}

type Frame = Outside & {
  version: string
  home: string
  env: Record<string, string | undefined>
  config: ConfigValues
  stopping: AbortSignal
  stop(isReplaced: boolean): void
}

/** Builds every part of the daemon from those built before it, and loads what is on the disk. Performs nothing yet. */
export async function build(frame: Frame) {
  const { version, clock, disk, script, home, env, config, stopping } = frame
  const log = logFile(join(home, 'daemon.log'), config['logs.keepMb'] * 1_000_000)
  const directoryOf = (run: string) => join(home, 'runs', run)
  const textsOf = (run: string) => textsIn(join(directoryOf(run), 'texts'), disk)
  const registration = registrationOf(version, socketOf(home, env, process.getuid?.() ?? 0), clock.now())
  const watch = new Watch()

  const runs = new Runs({ runs: join(home, 'runs'), disk, clock, snapshotEvery: config['journal.snapshotEvery'] }, log)
  await runs.load()
  const headless = frame.headless ?? claudeHeadless
  const pane = frame.pane ?? claudePane(new Tmux(tmuxSocketOf(home)))
  const postSurely: Runs['postSurely'] = (run, posting) => runs.postSurely(run, posting)
  const repository = frame.repository ?? gitRepository(env)
  const places = new Places(clock, { max: config['sessions.max'], startsPerSecond: config['sessions.startsPerSecond'] })
  const tokens = await Tokens.open(join(home, 'key'), disk)
  const environments = new Environments(home, tokens)
  const accounts = new Accounts(clock)
  for (const run of runs.all()) accounts.look(run)
  const plans = new WardPlans(home, disk, repository)
  const workplaces = new Workplaces(home, disk, repository)
  const roles = new RoleBook(join(dirname(script), 'roles'))

  const commands = new Commands(runs, environments, textsOf, { runs, disk, repository, plans, workplaces, roles })
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
    runOf: session => runs.findBySession(session)?.id ?? null,
    turnAway,
    watch,
  })
  const { agents, inbox } = desk
  const questionClock = new QuestionClock({ clock, inbox, runs, log })
  inbox.listen(() => questionClock.look())

  const shared = {
    home,
    disk,
    driver: headless,
    stopping,
    runs,
    agents,
    environments,
    repository,
    stateFiles: new StateFiles(),
    workplaces,
    greens: new GreenCache(join(home, 'greens')),
    wardTurns: new WardTurns(stopping),
    directoryOf,
    textsOf,
    postSurely,
    log,
    now: () => clock.now(),
  }
  const command = thisProgram({ node: process.execPath, script })
  const sessions = new Sessions({
    driverOf: name => (name === 'pane' ? pane : headless),
    hooks: () => ({ port: config['hooks.http'] === 'on' ? registration.port : null, command }),
    toolsPort: () => registration.port,
    agents,
    unheard: new UnheardPanes({ agents, inbox, turnAway, now: () => clock.now(), log }),
    places,
    accounts,
    environments,
    directoryOf,
    textsOf,
    postSurely,
    clock,
    placeOf: async run =>
      run.record.state.kind === 'loop' ? ownEnvironment(shared, run) : ((await roleEnvironment(shared, run)) ?? {}),
  })
  const leave = (run: Run) => void sessions.leave(run).catch(error => log(`run ${run.id}: ${(error as Error).message}`))
  const performers = {
    sessions,
    loops: new Loops(shared, inbox, leave),
    pools: new Parents(shared, inbox, poolFamily(shared)),
    quests: new Parents(shared, inbox, questFamily(shared)),
  }

  const house: House = {
    ...desk,
    watching: watch,
    freeze: new Freeze(home, disk, runs, commands),
    now: () => clock.now(),
    home,
    registration,
    runs,
    commands,
    plans,
    tasks: new TaskDesk({ runs, textsOf }),
    roles: new RoleGuards(runs, home),
    quests: new QuestTools({ runs, textsOf }),
    checkpoints: new Checkpoints({ repository, runs, home, workplaces }),
    merges: new Merges(shared),
    places,
    accounts,
    tokens,
    directoryOf,
    textsOf,
    log,
    warnings: () => noticesIn(home),
    stopSoon(why, isReplaced = false) {
      log(`stopping: ${why}`)
      frame.stop(isReplaced)
    },
    stopping,
  }
  const pausedQuestions = new RunQuestions(shared, inbox, pausedAsking)
  return { house, desk, repository, performers, questionClock, pausedQuestions }
}

export type Daemon = Awaited<ReturnType<typeof build>>

function waysOf(config: ConfigValues): Ways {
  const url = config['notify.webhook']
  return {
    bell: config['notify.bell'] === 'on',
    desktop: config['notify.desktop'] === 'on',
    webhook: url ? { url, secret: config['notify.secret'] } : null,
  }
}

/** The port is known when the daemon listens. */
function registrationOf(version: string, socket: string, now: number): Registration {
  return { id: randomUUID(), pid: process.pid, startedAt: new Date(now).toISOString(), version, port: 0, socket }
}

/** What the supervisor left for us to report. */
function noticesIn(home: string): string[] {
  const path = join(home, 'notice')
  return existsSync(path) ? [readFileSync(path, 'utf8').slice(0, 1000).trim()] : []
}
