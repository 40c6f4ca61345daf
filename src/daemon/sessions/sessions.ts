import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Exit, RunEventOf, SessionSpec } from '../../contract/event.ts'
import { ENDED } from '../../contract/run.ts'
import { parseStreamLine } from '../../contract/stream.ts'
import { runningBackground } from '../../core/agent/agent-status.ts'
import type { EffectOf } from '../../core/effect.ts'
import { oneLine } from '../../core/plain-text.ts'
import { composePrompt, promptHead } from '../../core/prompt.ts'
import { sessionOf } from '../../core/run/run-state.ts'
import { wasStarted } from '../../core/session/session-moves.ts'
import { believableUsd, reportOf } from '../../core/session/session-report.ts'
import type { SessionRun } from '../../core/session/session-state.ts'
import type { Clock, Driver, Texts, TurnPlace } from '../../ports.ts'
import type { Agents } from '../agents/agents.ts'
import type { Posting, Run } from '../runtime/live-run.ts'
import type { Accounts } from './accounts.ts'
import type { Environments } from './environments.ts'
import { watchPane } from './pane-watch.ts'
import type { Places } from './places.ts'
import { watchStuck } from './stuck-watch.ts'
import type { UnheardPanes } from './unheard-panes.ts'

type Outside = {
  driverOf(driver: SessionSpec['driver']): Driver
  /** Where hooks of sessions report to. */
  hooks(): { port: number | null; command: string }
  /** Where the tools of sessions of quests are. */
  toolsPort(): number
  agents: Agents
  unheard: UnheardPanes
  places: Places
  accounts: Accounts
  environments: Environments
  directoryOf(run: string): string
  textsOf(run: string): Texts
  clock: Clock
  /** What the place where a run works adds to its environment: the ports of a worktree. */
  placeOf(run: Run): Promise<Record<string, string>>
  /** Posts until it is written: an outcome must not be lost to a full disk. */
  postSurely(run: Run, posting: Posting): Promise<void>
}

type RunSession = EffectOf<'run-session'>
type NotStarted = Pick<RunEventOf<'session-not-started'>, 'cause' | 'names'>
/** `without`: names of what a restart has lost and the session was started without. */
type Started = { refused: NotStarted } | { without: string[] }

/** Performs what concerns sessions. Doing an effect a second time finds what the first time made. */
export class Sessions {
  readonly #outside: Outside
  readonly #live = new Map<string, AbortController>()
  /** Turns that are being ended, by directory. */
  readonly #ending = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()

  constructor(outside: Outside) {
    this.#outside = outside
  }

  /** Starts the turn, or takes it back when it was started already, and follows it to its end. */
  async run(run: Run, key: string, effect: RunSession): Promise<void> {
    if (this.#live.has(key)) return
    const place = this.#placeOf(run.id, effect)
    const waiting = new AbortController()
    this.#live.set(key, waiting)
    let release: (() => void) | null = null
    try {
      const taken = await this.#takePlace(run, place, waiting.signal)
      release = taken.release
      const outcome = taken.isStarted ? { without: [] } : await this.#start(run, effect, place, release !== null)
      if ('refused' in outcome) {
        return await this.#say(run, { type: 'session-not-started', effect: key, ...outcome.refused })
      }
      await this.#follow(run, key, effect, place, outcome.without)
    } finally {
      release?.()
      this.#live.delete(key)
    }
  }

  /** Ends whatever there is of the turn. One that has not started yet, for want of a place or by a hair, never will. */
  async end(run: Run, key: string, effect: EffectOf<'end-session'>): Promise<void> {
    const place = this.#placeAt(run.id, effect.turn, effect.session)
    this.#live.get(sessionIn(run).turn.effect)?.abort()
    const ending = this.#end(run, key, place, effect.endGraceMs)
    this.#ending.set(place.directory, ending)
    try {
      await ending
    } finally {
      this.#ending.delete(place.directory)
    }
  }

  /** Types a message into the pane of a turn. Once it is typed nobody can take it back, so a second time is a risk that
   *  is taken only when the first was never written down. */
  async type(run: Run, key: string, effect: EffectOf<'type-text'>): Promise<void> {
    const place = this.#placeAt(run.id, effect.turn, effect.session)
    const text = await this.#outside.textsOf(run.id).get(effect.text)
    const { label, turn, firstTurn } = sessionIn(run)
    const head = promptHead(run.id, label, turn.n - firstTurn + 1)
    await this.#driver(run).type?.(place, composePrompt(head, null, [text]))
    await this.#say(run, { type: 'text-typed', effect: key })
  }

  /** The run has ended. Whoever resumes it brings an environment along; nobody needs its pane any more. */
  async leave(run: Run): Promise<void> {
    this.#outside.environments.forget(run.id)
    const session = sessionOf(run.record.state)
    if (session) await this.#driver(run).closePane?.(this.#placeAt(run.id, session.turn.n, session.spec.session))
  }

  /** The panes of runs that ended while the daemon before us died. */
  async recover(runs: Run[]): Promise<void> {
    const left = runs.filter(({ record }) => {
      // What else may be left to do for it needs no pane.
      const runs = Object.values(record.pending).some(effect => effect.do === 'run-session')
      return ENDED.has(record.state.status) && !runs && sessionOf(record.state)?.spec.driver === 'pane'
    })
    if (left.length > 0) await this.#outside.driverOf('pane').tidyPanes?.(left.map(({ id }) => id))
  }

  /** Stops following, ends nothing: sessions outlive the daemon. */
  stop(): void {
    this.#stopping.abort()
  }

  /** A session that runs has its place. One that must be started waits for it: null when it shall not start any more. */
  async #takePlace(run: Run, place: TurnPlace, signal: AbortSignal) {
    const { places, accounts } = this.#outside
    const driver = this.#driver(run)
    const either = AbortSignal.any([signal, this.#stopping.signal])
    // After a restart nobody may start before it is known who runs already, nor before older runs have come to wait.
    const letGo = places.hold()
    try {
      const isStarted = (await driver.look(place)).is !== 'absent'
      const taking = isStarted ? places.takeAtOnce() : accounts.takePlace(run, places, either)
      letGo()
      return { isStarted, release: await Promise.resolve(taking).catch(() => null) }
    } finally {
      letGo()
    }
  }

  async #start(run: Run, effect: RunSession, place: TurnPlace, hasPlace: boolean): Promise<Started> {
    this.#stopping.signal.throwIfAborted()
    // Somebody ended it before it began.
    if (!hasPlace || sessionIn(run).turn.ending) {
      await this.#driver(run).abandon(place)
      return { without: [] }
    }
    const { environment } = this.#environmentOf(run, effect.spec.session)
    const isBegun = await this.#driver(run).canResume(effect.spec.session, environment)
    const refused = await this.#refuse(run, effect, place, isBegun)
    return refused ? { refused } : { without: await this.#launch(run, effect, place, isBegun) }
  }

  async #launch(run: Run, effect: RunSession, place: TurnPlace, resume: boolean): Promise<string[]> {
    const { textsOf, hooks, toolsPort, agents } = this.#outside
    const driver = this.#driver(run)
    const session = sessionIn(run)
    const { environment: theirs, without } = this.#environmentOf(run, effect.spec.session)
    const environment = { ...theirs, ...(await this.#outside.placeOf(run)) }
    const { head, note, texts } = resume ? effect.resumed : effect.fresh
    const prompt = composePrompt(head, note, await Promise.all(texts.map(ref => textsOf(run.id).get(ref))))
    const { maxCostUsd } = effect.spec
    const left = maxCostUsd === null ? null : Math.max(0.000001, maxCostUsd - session.costUsd)
    const configDirectory = driver.configDirectory(environment)
    const { role } = session.label
    agents.expect(effect.spec.session, { run: run.id, role, cwd: effect.spec.project, configDirectory })
    const start = () =>
      driver.start({
        place,
        spec: effect.spec,
        maxCostUsd: left,
        environment,
        prompt,
        resume,
        hooks: hooks(),
        toolsPort: effect.spec.questTools ? toolsPort() : null,
      })
    await (resume ? start() : agents.begin(effect.spec.session, start))
    return without
  }

  async #refuse(run: Run, effect: RunSession, place: TurnPlace, isBegun: boolean): Promise<NotStarted | null> {
    const driver = this.#driver(run)
    const { environment, missing } = this.#environmentOf(run, effect.spec.session)
    if (missing.length) return { cause: 'needs-environment', names: missing }
    const isThere = await stat(effect.spec.project).then(
      found => found.isDirectory(),
      () => false,
    )
    if (!isThere) return { cause: 'project-missing', names: [] }
    if (!(await driver.clientProgram(effect.spec.client, environment))) {
      return { cause: 'client-missing', names: [effect.spec.client] }
    }
    // Nobody else can have opened what was never begun.
    if (!isBegun && !wasStarted(sessionIn(run))) return null
    return (await driver.openElsewhere(place)) ? { cause: 'session-busy', names: [] } : null
  }

  async #follow(run: Run, key: string, effect: RunSession, place: TurnPlace, without: string[]): Promise<void> {
    const { agents } = this.#outside
    const driver = this.#driver(run)
    const { turn, spec } = effect
    const watching = new AbortController()
    if (spec.driver === 'pane') {
      this.#watchPane(run, key, effect, watching.signal)
      this.#watchUnheard(run, effect, watching.signal)
    }
    const configDirectory = driver.configDirectory(this.#environmentOf(run, spec.session).environment)
    const { label, earlier, createdAt } = sessionIn(run)
    const about = { run: run.id, role: label.role, cwd: spec.project, configDirectory }
    agents.ours(spec.session, about, earlier.at(-1)?.endedAt ?? createdAt)
    const silence = this.#watchStuck(run, key, effect, watching.signal)
    const { exit, outputBytes } = await driver.follow(place, {
      from: sessionIn(run).turn.reportedTo,
      lineLimitBytes: effect.spec.lineLimitBytes,
      signal: this.#stopping.signal,
      onStarted: pid => {
        agents.started(spec.session, pid)
        void driver.paneOf?.(place).then(pane => agents.inPane(spec.session, pane))
        // When it cannot be written any more, because we are stopping, the next daemon finds it started.
        this.#say(run, ({ state }) =>
          sessionOf(state)?.turn.pid === null ? { type: 'session-started', effect: key, turn, pid, without } : null,
        ).catch(() => {})
      },
      onLine: async (line, offset) => {
        silence?.heard()
        const parsed = line === null ? null : parseStreamLine(line)
        if (parsed) agents.stream(spec.session, parsed)
        const report = parsed && reportOf(parsed, offset)
        if (report) await this.#say(run, { type: 'session-reported', effect: key, turn, report })
      },
    })
    watching.abort()
    // What it left behind has nobody any more. Before the end is written down: afterwards nobody would come back for it.
    await driver.end(place, effect.spec.endGraceMs)
    await this.#ending.get(place.directory)?.catch(() => {})
    const totalUsd = await this.#notedUsd(run, spec, exit)
    await this.#say(run, { type: 'session-ended', effect: key, turn, exit, outputBytes, ...totalUsd })
    agents.exited(spec.session, endOf(run, exit))
    if (ENDED.has(run.record.state.status)) await this.leave(run)
  }

  /** Of one that did not end by itself: it may have spent what no result told. A pane's cost is read when its iteration is closed. */
  async #notedUsd(run: Run, { session, driver }: SessionSpec, exit: Exit): Promise<{ totalUsd?: number }> {
    if (driver === 'pane' || (exit.how === 'exited' && exit.code === 0)) return {}
    const { environment } = this.#environmentOf(run, session)
    const noted = await this.#driver(run)
      .notedUsd(session, environment)
      .catch(() => null)
    return noted === null ? {} : { totalUsd: believableUsd(noted) }
  }

  #watchPane(run: Run, key: string, { spec, turn }: RunSession, signal: AbortSignal): void {
    const { agents, clock } = this.#outside
    watchPane(
      () => {
        if (!agents.has(spec.session)) return null
        const { turn: current, earlier } = sessionIn(run)
        // Of one that is being ended it was said, perhaps by the daemon before us.
        const maxCostUsd = current.ending ? null : spec.maxCostUsd
        const since = earlier.at(-1)?.endedAt ?? 0
        const facts = agents.facts(spec.session)
        const { ownSince } = current
        const lookedAt = agents.lookedAt(spec.session)
        return { facts, now: clock.now(), lookedAt, since, ownSince, maxCostUsd, endsWithTurn: spec.endsWithTurn }
      },
      report => this.#say(run, { type: 'session-reported', effect: key, turn, report }),
      AbortSignal.any([signal, this.#stopping.signal]),
    )
  }

  /** In a pane that stays when its turn has ended somebody looks, and knows better whether it is stuck. */
  #watchStuck(run: Run, key: string, { spec, turn }: RunSession, signal: AbortSignal) {
    if (spec.driver === 'pane' && !spec.endsWithTurn) return null
    const { agents, clock } = this.#outside
    return watchStuck(
      clock,
      spec.stuckAfterMs,
      () => (agents.has(spec.session) ? agents.facts(spec.session) : null),
      () => void this.#say(run, { type: 'session-stuck', effect: key, turn }).catch(() => {}),
      AbortSignal.any([signal, this.#stopping.signal]),
    )
  }

  #watchUnheard(run: Run, { spec, turn }: RunSession, over: AbortSignal): void {
    const { session, project } = spec
    const since = sessionIn(run).earlier.at(-1)?.endedAt ?? 0
    this.#outside.unheard.watch({ run: run.id, turn, session, project, since }, over, this.#stopping.signal)
  }

  async #end(run: Run, key: string, place: TurnPlace, graceMs: number): Promise<void> {
    const driver = this.#driver(run)
    const left = await this.#leftRunning(run)
    await driver.abandon(place)
    await driver.end(place, graceMs)
    await this.#say(run, { type: 'session-end-delivered', effect: key, left })
  }

  /** A sentence about the tasks for which its end could not be waited for. Before it is ended: then nobody knows them any more. */
  async #leftRunning(run: Run): Promise<string | null> {
    const { turn, spec, label } = sessionIn(run)
    const { agents, textsOf } = this.#outside
    if (turn.ending !== 'background' || !agents.has(spec.session)) return null
    const tasks = runningBackground(agents.facts(spec.session)).map(task => oneLine(task.description || task.type, 200))
    if (tasks.length === 0) return null
    const who = label.iteration === null ? 'the session' : `iteration ${label.iteration}`
    const named = tasks.slice(0, 10).join(', ')
    return textsOf(run.id).put(`${who} left tasks running in the background, which were ended: ${named}`)
  }

  /** What a session of this run gets, and which names are missing since a restart. */
  #environmentOf(run: Run, session: string) {
    const { state } = run.record
    const found = this.#outside.environments.of(run.id, session, state.environment)
    if (state.kind === 'loop') found.environment.REHOBOAM_LOOP_DIR = state.loop.directory
    return found
  }

  #say(run: Run, posting: Posting): Promise<void> {
    return this.#outside.postSurely(run, posting)
  }

  #placeOf(run: string, effect: RunSession): TurnPlace {
    return this.#placeAt(run, effect.turn, effect.spec.session)
  }

  #placeAt(run: string, turn: number, session: string): TurnPlace {
    return { directory: join(this.#outside.directoryOf(run), 'turns', String(turn)), session }
  }

  #driver(run: Run): Driver {
    return this.#outside.driverOf(run.record.state.spec.driver)
  }
}

/** How the agent's life ended, for those who look at agents. */
function endOf(run: Run, exit: Exit): 'ended' | 'crashed' | 'stopped' {
  const { ending } = sessionIn(run).turn
  if (ending === 'finished') return 'ended'
  if (ending) return 'stopped'
  return exit.how === 'exited' && exit.code === 0 ? 'ended' : 'crashed'
}

/** Effects that concern a session exist only where there is one. */
function sessionIn(run: Run): SessionRun {
  const session = sessionOf(run.record.state)
  if (!session) throw new Error(`run ${run.id} has no session yet`)
  return session
}
