import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { access, constants, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { ownSessionSettings } from '../../contract/hook-settings.ts'
import type { Driver, SessionStart, Standing, TurnPlace } from '../../ports.ts'
import { replaceFile } from '../disk.ts'
import { endProcesses } from '../end-processes.ts'
import { followOutput } from '../follow-output.ts'
import { argumentsOf, isAlive, withArguments, withEnvironment } from '../process-table.ts'
import { canResume, configDirectory, emptyTranscripts, notedUsd } from './claude-transcript.ts'
import { commandLine, isSession, toolsConfig } from './command-line.ts'
import { TURN_FILES, WRAPPER } from './wrapper.ts'

/** Claude Code as a child process in a group of its own, its output in a file: it outlives whoever started it. */
export const claudeHeadless: Driver = {
  look,
  openElsewhere,
  abandon,
  configDirectory,
  canResume,
  notedUsd,
  clientProgram,
  start,
  follow(place, follow) {
    const turn = { look: () => lookFrom(place), abandon: () => abandon(place) }
    return followOutput(join(place.directory, TURN_FILES.output), turn, follow)
  },
  async end(place, graceMs) {
    const standing = await look(place)
    await endProcesses(standing.is === 'alive' ? standing.pid : null, mark(place), graceMs)
  },
}

async function look(place: TurnPlace): Promise<Standing> {
  // Whoever starts a turn makes its directory first: without one there is nothing to look for among all processes.
  if (!existsSync(place.directory)) return { is: 'absent' }
  const claim = read(place, 'claim')
  const pid = claim === null ? 0 : Number.parseInt(claim, 10) || 0
  const alive = exitOf(place) === null ? await aliveProcess(place, pid) : null
  if (alive) return { is: 'alive', pid: alive }
  // Read after the look at the process: it may have written its code and gone in between.
  const code = exitOf(place)
  if (code !== null) return { is: 'ended', pid, exit: { how: 'exited', code } }
  return claim === null ? { is: 'absent' } : { is: 'ended', pid, exit: { how: 'vanished' } }
}

/** For who follows a turn that was started: its claim comes by itself, so nobody is looked for among all processes before. */
async function lookFrom(place: TurnPlace): Promise<Standing> {
  return read(place, 'claim') === null ? { is: 'absent' } : look(place)
}

/** The wrapper by its claim; else, because it may not have claimed yet or was killed alone, whatever is of this turn. */
async function aliveProcess(place: TurnPlace, claimed: number): Promise<number | null> {
  if (claimed > 1 && isAlive(claimed) && isOfTurn(await argumentsOf(claimed), place)) return claimed
  const wrapper = await withArguments(argv => isOfTurn(argv, place))
  if (wrapper !== null) return wrapper
  for (const pid of await withEnvironment(mark(place))) {
    if (isSession(await argumentsOf(pid), place.session)) return pid
  }
  return null
}

/** Process ids are used again: one that was written down means something only with the turn in its arguments. */
function isOfTurn(argv: string[], place: TurnPlace): boolean {
  return argv.includes(join(place.directory, TURN_FILES.claim))
}

async function openElsewhere(place: TurnPlace): Promise<number | null> {
  return withArguments(argv => isSession(argv, place.session) && !isOfTurn(argv, place))
}

async function abandon(place: TurnPlace): Promise<boolean> {
  await mkdir(place.directory, { recursive: true, mode: 0o700 })
  try {
    await writeFile(join(place.directory, TURN_FILES.claim), '0\n', { mode: 0o600, flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function exitOf(place: TurnPlace): number | null {
  const [, code] = /^(\d+)\n$/.exec(read(place, 'exit') ?? '') ?? []
  return code === undefined ? null : Number(code)
}

/** A few bytes of ours that were just written: through the thread pool they would cost ten times as much, at every sign of life. */
function read(place: TurnPlace, file: keyof typeof TURN_FILES): string | null {
  try {
    return readFileSync(join(place.directory, TURN_FILES[file]), 'utf8')
  } catch {
    return null
  }
}

async function start(session: SessionStart): Promise<void> {
  const { place, spec, environment } = session
  const file = (name: keyof typeof TURN_FILES) => join(place.directory, TURN_FILES[name])
  const client = await prepare(session)
  await Promise.all([file('output'), file('errors')].map(path => writeFile(path, '', { mode: 0o600, flag: 'a' })))
  const files = [file('claim'), file('prompt'), file('output'), file('errors'), file('exit')]
  // Node's own: nothing of execa's is wanted here, and it holds up the daemon once more at every start.
  const child = spawn('/bin/sh', ['-c', WRAPPER, 'rehoboam-session', ...files, ...client], {
    cwd: spec.project,
    env: { ...environment, [MARK]: place.directory },
    detached: true,
    stdio: 'ignore',
  })
  // One that cannot start has no claim, and whoever follows it finds none.
  child.on('error', () => {})
  child.unref()
}

/** Writes what a turn reads, prompt and hooks, and gives the client's program with its arguments. */
export async function prepare(session: SessionStart, tmux?: string): Promise<string[]> {
  const { place, spec, environment, prompt, hooks, toolsPort } = session
  const file = (name: keyof typeof TURN_FILES) => join(place.directory, TURN_FILES[name])
  await mkdir(place.directory, { recursive: true, mode: 0o700 })
  if (!session.resume) await freeSessionId(session)
  // A turn may be started twice, and the first start's client may be reading: its files are not touched. Not synced: no
  // client survives a power cut, and whoever starts one writes them again.
  const write = (name: keyof typeof TURN_FILES, text: string) => replaceFile(file(name), text, { isSynced: false })
  const settings = hooks
    ? ownSessionSettings({ ...hooks, driver: spec.driver, ...(tmux ? { tmux } : {}) })
    : { disableAllHooks: true }
  const [program] = await Promise.all([
    clientProgram(spec.client, environment),
    write('prompt', prompt),
    write('settings', JSON.stringify(settings)),
    toolsPort === null ? null : write('tools', JSON.stringify(toolsConfig(toolsPort))),
  ])
  const files = { settings: file('settings'), tools: toolsPort === null ? null : file('tools') }
  return [program ?? spec.client, ...commandLine(session, files)]
}

/** Removes the transcript of a client that was killed before its first message: the client refuses an id that has one. */
async function freeSessionId({ place, environment }: SessionStart): Promise<void> {
  const empty = () => emptyTranscripts(place.session, environment)
  if ((await empty()).length === 0) return
  // A client that still runs may be about to write its first message.
  if ((await withArguments(argv => isSession(argv, place.session))) !== null) return
  // Read again: a client that ended before the look for it may have written that message after the first read.
  await Promise.all((await empty()).map(path => rm(path, { force: true })))
}

/** Everything that a session starts inherits this, also what leaves its process group. */
export const MARK = 'REHOBOAM_TURN'
const mark = (place: TurnPlace) => `${MARK}=${place.directory}`

async function clientProgram(name: string, environment: Record<string, string>): Promise<string | null> {
  if (name.includes('/')) return (await isProgram(resolve(name))) ? resolve(name) : null
  for (const folder of (environment.PATH ?? '').split(delimiter).filter(Boolean)) {
    if (await isProgram(join(folder, name))) return join(folder, name)
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
