import { createHash } from 'node:crypto'
import { lstat, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { realDisk } from '../../adapters/disk.ts'
import { copyConfigured } from '../../adapters/ward/configured-copies.ts'
import { Grounds } from '../../adapters/ward/grounds.ts'
import { installedAt, lockHash } from '../../adapters/ward/lock-files.ts'
import { findNodeModules, placeNodeModules } from '../../adapters/ward/node-modules.ts'
import { readWardOutput } from '../../adapters/ward/output-file.ts'
import { isOwnFolder } from '../../adapters/ward/own-folder.ts'
import { makeVenv, type Run } from '../../adapters/ward/python-venv.ts'
import { endWard, runCommand } from '../../adapters/ward/run-command.ts'
import { wardEnvironment } from '../../core/ward/ward-environment.ts'
import { readStamp, type Stamp } from './setup-stamp.ts'

export type WorktreeSetup = {
  /** The roots of the user's checkout and of the clean worktree; both are there. */
  from: string
  to: string
  /** The project's place in both: '' for the root. */
  project: string
  /** A directory of ours for this worktree alone: what was set up, Python's environment, what the setup printed. */
  stateDirectory: string
  environment: Record<string, string>
  /** The configured setup command: run after the rest. */
  command: string | null
  /** All that was not under version control is gone since the last time, but for dependencies: what the command made, too. */
  isCleaned?: boolean
  /** Nobody has worked there, and its files are those of this commit: what the command made of those of another is old. */
  commit?: string
  /** Configured files, relative to the root, that are not under version control: `.env`. */
  copies: readonly string[]
  timeLimitMs: number
  signal: AbortSignal
}

type PreparedWorktree = {
  /** What a ward in this worktree needs in its environment. */
  more: Record<string, string>
  reused: boolean
  /** Nothing was brought into it. */
  isBare: boolean
  /** What a person may want to know. */
  notes: string[]
  /** Why a ward here would say nothing about the work; null when all went well. */
  problem: string | null
}

const GRACE_MS = 5_000
const PRINTED = 'setup-'
const VENVS = ['.venv', 'venv', 'env']
const PYTHON_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'pytest.ini', 'uv.lock', 'tox.ini']

/**
 * Gives a clean worktree what its checks need, without a download and without touching the user's checkout. May be done again: what is
 * there is used while the lock file is the same. Cancelled: throws.
 */
export async function prepareWorktree(setup: WorktreeSetup): Promise<PreparedWorktree> {
  const grounds = new Grounds(setup.from, setup.to)
  await mkdir(setup.stateDirectory, { recursive: true, mode: 0o700 })
  // Of one that was cut off. What it runs has its file before it has a process: where there is none, nobody was.
  if ((await readdir(setup.stateDirectory)).some(name => name.startsWith(PRINTED)))
    await endWard(markOf(setup), GRACE_MS)
  const stampFile = join(setup.stateDirectory, 'setup.json')
  const before = await readStamp(stampFile)
  const hash = await hashOf(setup)
  const reused = before?.hash === hash && before.done && (await isWhole(setup, before))
  const stamp: Stamp =
    reused && before ? before : { hash, done: false, placed: [], copied: [], python: false, notes: [] }
  const isOld = setup.commit !== undefined && before?.commit !== setup.commit
  const keep = () => realDisk.replace(stampFile, JSON.stringify(stamp))
  if (!reused) {
    for (const place of before?.placed ?? []) await removePlaced(setup, place)
    stamp.copied = before?.copied ?? []
    // Where nothing was made before, nothing has to be unsaid.
    if (before) await keep()
  }
  await copyFiles(setup, grounds, stamp)
  if (setup.copies.length > 0) await keep()
  const problem =
    (reused ? null : await setUp(setup, grounds, stamp, keep)) ??
    (reused && !setup.isCleaned && !isOld ? null : await runSetup(setup, grounds, stamp))
  setup.signal.throwIfAborted()
  stamp.done = problem === null
  stamp.commit = setup.commit ?? before?.commit
  await keep()
  const isBare = setup.command === null && stamp.placed.length === 0 && stamp.copied.length === 0 && !stamp.python
  return { more: moreOf(setup, grounds, stamp), reused, isBare, notes: stamp.notes, problem }
}

async function hashOf({ from, to, project, command }: WorktreeSetup): Promise<string> {
  const locks = await lockHash([join(to, project), to])
  const installed = await installedAt([join(from, project), from])
  return createHash('sha256')
    .update(JSON.stringify([from, project, command, locks, installed]))
    .digest('hex')
}

/** Somebody may have cleaned the worktree, or its new tree has a link where our directory was. */
async function isWhole({ to, stateDirectory }: WorktreeSetup, { placed, python }: Stamp): Promise<boolean> {
  for (const place of placed) {
    if (!(await isOwnFolder(to, dirname(place))) || !(await exists(join(to, place)))) return false
  }
  return !python || exists(join(stateDirectory, 'venv/bin/python'))
}

async function removePlaced({ to }: WorktreeSetup, place: string): Promise<void> {
  if (await isOwnFolder(to, dirname(place))) await rm(join(to, place), { recursive: true, force: true })
}

async function copyFiles(setup: WorktreeSetup, grounds: Grounds, stamp: Stamp): Promise<void> {
  for (const path of setup.copies) {
    if (await copyConfigured(path, grounds, stamp.copied.includes(normalize(path)))) {
      stamp.copied = [...new Set([...stamp.copied, normalize(path)])]
    }
  }
}

/** Why it failed, or null. What is about to be made is written down first: a half-made one is removed the next time. */
async function setUp(
  setup: WorktreeSetup,
  grounds: Grounds,
  stamp: Stamp,
  keep: () => Promise<void>,
): Promise<string | null> {
  try {
    for (const place of await findNodeModules(grounds)) {
      stamp.placed.push(place)
      await keep()
      if (await placeNodeModules(place, grounds, setup.signal)) continue
      stamp.placed.pop()
      await keep()
    }
    await setUpPython(setup, grounds, stamp, keep)
  } catch (error) {
    setup.signal.throwIfAborted()
    return `the worktree could not be set up: ${error instanceof Error ? error.message : error}`
  }
  return null
}

/** Why it failed, or null. */
async function runSetup(setup: WorktreeSetup, grounds: Grounds, stamp: Stamp): Promise<string | null> {
  if (setup.command === null) return null
  const environment = wardEnvironment(setup.environment, moreOf(setup, grounds, stamp))
  const { code, output } = await runIn(setup, 'command', setup.command, join(setup.to, setup.project), environment)
  return code === 0 ? null : `the setup command failed: ${lastLine(output) || `it ended with ${code ?? 'a signal'}`}`
}

async function setUpPython(
  setup: WorktreeSetup,
  grounds: Grounds,
  stamp: Stamp,
  keep: () => Promise<void>,
): Promise<void> {
  const places = await pythonPlaces(setup)
  if (places.length === 0) return
  const { made, notes } = await makeVenv({
    grounds,
    places,
    venv: venvOf(setup),
    pycache: join(setup.stateDirectory, 'pycache'),
    environment: wardEnvironment(setup.environment),
    run: (step, argv, directory, environment) => runIn(setup, step, argv, directory, environment),
  })
  setup.signal.throwIfAborted()
  stamp.python = made
  stamp.notes.push(...notes)
  if (made) await linkVenvs(setup, places, stamp, keep)
}

async function pythonPlaces({ to, project }: WorktreeSetup): Promise<string[]> {
  const places: string[] = []
  for (const place of new Set([normalize(project || '.'), '.'])) {
    for (const name of PYTHON_FILES) {
      if (!places.includes(place) && (await exists(join(to, place, name)))) places.push(place)
    }
  }
  return places
}

/** A Makefile may name its environment's programs by their path: where the user has one, there is one here. */
async function linkVenvs(
  setup: WorktreeSetup,
  places: string[],
  stamp: Stamp,
  keep: () => Promise<void>,
): Promise<void> {
  for (const place of places.flatMap(path => VENVS.map(name => join(path, name)))) {
    if (!(await exists(join(setup.from, place, 'pyvenv.cfg')))) continue
    const there = await lstat(join(setup.to, place)).catch(() => null)
    if (there && !there.isSymbolicLink()) continue
    stamp.placed.push(place)
    await keep()
    await rm(join(setup.to, place), { force: true })
    await symlink(venvOf(setup), join(setup.to, place))
  }
}

function moreOf(setup: WorktreeSetup, grounds: Grounds, { python }: Stamp): Record<string, string> {
  const given = setup.environment
  const more: Record<string, string> = {}
  for (const name of ['PATH', 'PYTHONPATH', 'NODE_PATH']) if (given[name]) more[name] = grounds.searchPath(given[name])
  if (!python) return more
  return {
    ...more,
    PATH: [join(venvOf(setup), 'bin'), ...(more.PATH ? [more.PATH] : [])].join(':'),
    VIRTUAL_ENV: venvOf(setup),
    UV_PROJECT_ENVIRONMENT: venvOf(setup),
    PYTHONPYCACHEPREFIX: join(setup.stateDirectory, 'pycache'),
  }
}

async function runIn(
  setup: WorktreeSetup,
  step: string,
  command: string | string[],
  directory: string,
  environment: Record<string, string>,
): ReturnType<Run> {
  const output = join(setup.stateDirectory, `${PRINTED}${step}.log`)
  const { timeLimitMs, signal } = setup
  const start = { directory, command, environment, mark: markOf(setup), timeLimitMs, graceMs: GRACE_MS, output, signal }
  const { exit } = await runCommand(start)
  const said = exit.how === 'not-started' ? exit.why : await readWardOutput(output)
  return { code: exit.how === 'exited' ? exit.code : null, output: said }
}

function venvOf({ stateDirectory }: WorktreeSetup): string {
  return join(stateDirectory, 'venv')
}

function markOf({ stateDirectory }: WorktreeSetup): string {
  return join(stateDirectory, 'setup')
}

function lastLine(output: string): string {
  return (output.trimEnd().split('\n').at(-1) ?? '').slice(0, 500)
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
