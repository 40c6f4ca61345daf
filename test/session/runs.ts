import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type * as z from 'zod'
import type { SpawnAnswer, SpawnRequest } from '../../src/contract/api.ts'
import type { RunEvent } from '../../src/contract/event.ts'
import type { RunDetail, RunStatus, RunSummary } from '../../src/contract/run.ts'
import type { Asked } from '../../src/rehearsal/model.ts'
import type { TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

/** Words for tests that start a run and look at what became of it. */

type Env = Record<string, string | undefined>

type Wishes = { directory?: string; flags?: Record<string, string>; env?: Env; noQuestions?: boolean }

/** Asks for a run as the commands do, without a process for it. Returns its id. */
export async function postRun(home: TempHome, asked: Partial<z.input<typeof SpawnRequest>>): Promise<string> {
  const usual = { directory: home.project, environment: given(home.env), flags: {}, arguments: [] }
  const body = { request: randomUUID(), ...usual, ...asked }
  return (await home.daemon.ask<SpawnAnswer>({ method: 'POST', path: '/v1/runs', body })).id
}

/**
 * Starts a run whose session may use Bash, as `rehoboam spawn` does, and returns its id. A daemon that is not there yet is
 * started with the environment of the home, without `env`.
 */
export function spawnRun(home: TempHome, prompt: string, wishes: Wishes = {}): Promise<string> {
  const { directory = home.project, flags = {}, env = {}, noQuestions = false } = wishes
  const environment = given({ ...home.env, ...env })
  return postRun(home, { prompt, directory, environment, flags: { allowedTools: 'Bash', ...flags }, noQuestions })
}

/** As `rehoboam cancel`, `pause`, `tell` and `resume` do. */
export function cancel(home: TempHome, run: string) {
  return home.daemon.ask<RunSummary>({ method: 'POST', path: `/v1/runs/${run}/cancel`, body: {} })
}

export function pause(home: TempHome, run: string) {
  return home.daemon.ask<RunSummary>({ method: 'POST', path: `/v1/runs/${run}/pause`, body: {} })
}

export function tell(home: TempHome, run: string, text: string) {
  return home.daemon.ask<RunSummary>({ method: 'POST', path: `/v1/runs/${run}/tell`, body: { text } })
}

export function resume(home: TempHome, run: string, text: string | null = null, env: Env = {}) {
  const body = { text, environment: given({ ...home.env, ...env }) }
  return home.daemon.ask<RunSummary>({ method: 'POST', path: `/v1/runs/${run}/resume`, body })
}

function given(env: Env): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

export function show(home: TempHome, run: string): Promise<RunDetail> {
  return home.daemon.askRunning<RunDetail>({ path: `/v1/runs/${run}` })
}

/** The run, once it stands there; a daemon that is away for a moment is waited for. */
export function untilStatus(home: TempHome, run: string, ...wanted: RunStatus[]): Promise<RunDetail> {
  return untilRun(home, run, ({ status }) => wanted.includes(status), `run ${run} to be ${wanted.join(' or ')}`)
}

export function untilRun(
  home: TempHome,
  run: string,
  isSo: (run: RunDetail) => boolean,
  what: string,
): Promise<RunDetail> {
  return until(async () => {
    const found = await show(home, run).catch(() => null)
    if (found && isSo(found)) return found
    // Each question costs the daemon as much as it costs us.
    await delay(30)
    return null
  }, what)
}

/** The kinds of events in a run's journal, reports with what they report. */
export function eventTypes(home: TempHome, run: string): string[] {
  return home
    .journal(run)
    .map(event => (event.type === 'session-reported' ? `reported-${event.report.kind}` : event.type))
}

export function eventsOf<T extends RunEvent['type']>(home: TempHome, run: string, type: T) {
  return home.journal(run).filter((event): event is Extract<typeof event, { type: T }> => event.type === type)
}

/** Waits until a client has written this into its transcript: what it has not written is lost when it is killed. */
export async function untilInTranscript(home: TempHome, session: string, text: string): Promise<void> {
  const lines = () => {
    const [file] = globSync(join(home.env.HOME!, '.claude/projects/*', `${session}.jsonl`))
    return file ? linesOf(file) : []
  }
  await until(() => lines().some(line => line.includes(text)), `${text} in the transcript`)
}

/** What the model was asked by sessions, without the client's own side questions. */
export function questions(home: TempHome): Asked[] {
  return home.model.asked.filter(asked => !asked.side)
}

/** The lines of a file that sessions append to; none when nobody did. */
export function linesOf(...path: string[]): string[] {
  const file = join(...path)
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

/** The first line of a file that somebody is about to write. */
export function untilLine(...path: string[]): Promise<string> {
  return until(() => linesOf(...path)[0], `${path.at(-1)} to have a line`)
}

/** A client program of the test's own, as a shell script. */
export function scriptClient(home: TempHome, name: string, lines: string): string {
  return writeScript(join(home.root, name), lines)
}

export function writeScript(path: string, lines: string): string {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

/** The home's client with its key in its own hands, as one that is logged in: a restart loses nothing that it needs. */
export function loggedInClient(home: TempHome): Env {
  const { REHOBOAM_CLAUDE, HOME, PATH, LANG, REHOBOAM_HOME, ANTHROPIC_BASE_URL, ...own } = home.env
  const words = Object.entries(own).map(([name, value]) => `export ${name}='${value}'`)
  const path = scriptClient(home, 'logged-in-client', [...words, `exec '${REHOBOAM_CLAUDE}' "$@"`].join('\n'))
  const gone = Object.fromEntries(Object.keys(own).map(name => [name, undefined]))
  return { ...gone, REHOBOAM_CLAUDE: path }
}
