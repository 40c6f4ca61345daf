import { realpath } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { LoopDirectory } from '../../adapters/loop-directory.ts'
import { readWardOutput } from '../../adapters/ward/output-file.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { WardOutcome } from '../../contract/loop.ts'
import type { CommandResult } from '../../contract/ward.ts'
import { oneLine } from '../../core/plain-text.ts'
import { type Failure, failuresIn } from '../../core/ward/check-output.ts'
import { type FailingCheck, failingChecks, wardStands } from '../../core/ward/checks.ts'
import { namedChecks } from '../../core/ward/named-checks.ts'
import type { Tampering } from '../../core/ward/tampering-found.ts'
import { nameOfFailure, type ReadCheck, wardReport } from '../../core/ward/ward-report.ts'
import type { Disk, Repository, Texts } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import { hashOf } from '../runtime/stable-id.ts'
import type { Environments } from '../sessions/environments.ts'
import { setupOf } from '../worktrees/setup-of.ts'
import type { GreenCache } from './green-cache.ts'
import { appendLessons } from './lessons.ts'
import { runWard } from './run-ward.ts'
import { tamperedBetween } from './tampered-between.ts'
import { wardTree } from './ward-tree.ts'

const REPORT_CHARACTERS = 60_000
const MOST_NAMED = 50
const REASON_CHARACTERS = 500
const SETUP_MS = 600_000

type WardOn = {
  /** The project's directory, in the user's checkout or in a worktree whose dependencies are taken. */
  project: string
  /** Null: in place, where there is no git. */
  commit: string | null
  tree: string | null
  /** What its definition and its tests are compared with. */
  base: string | null
  /** What the checks have in their environment beside their user's. */
  own: Record<string, string>
  /** What is red again and again is a lesson for whoever works on it. */
  learns?: boolean
  /** The user's, where it was brought anew. */
  environment?: Record<string, string>
}

/** The frozen checks of a run on any commit: a checkpoint, or what a merge would give. */
export async function wardOn(
  outside: WardOutside,
  run: Run,
  key: string,
  on: WardOn,
  signal: AbortSignal,
): Promise<WardOutcome> {
  const startedAt = outside.now()
  const { results, cached, problem, tampering, root } = await ward(outside, run, key, on, signal)
  signal.throwIfAborted()
  const read = await Promise.all(results.map(result => readResult(result, root)))
  const checks = failingChecks(results, index => read[index]!.failures.map(nameOfFailure))
  const before = redBefore(run)
  const isOld = (command: string, failure: Failure) => {
    const [, named] = failingChecks([{ command, how: 'red' }], () => [nameOfFailure(failure)])
    return before !== null && named !== undefined && before.has(hashOf(named.id))
  }
  if (on.learns && problem === null) await learn(outside, run, checks)
  const report = problem ?? (tampering.length ? tamperingWords(tampering) : wardReport(read, before && isOld))
  const named = problem === null ? namedChecks(read) : oneLine(problem, REASON_CHARACTERS)
  return {
    result: problem === null ? wardStands(results) : 'could-not-run',
    failing: checks.map(({ id }) => hashOf(id)),
    tampered: tampering.length > 0,
    tampering: [...new Set(tampering.map(({ what }) => what))],
    named: named ? await outside.textsOf(run.id).put(named) : null,
    changes: await changesOf(outside, run, on, tampering),
    report: report ? await outside.textsOf(run.id).put(report.slice(0, REPORT_CHARACTERS)) : null,
    ms: outside.now() - startedAt,
    cached,
  }
}

/** The third time that the same check is red in a run; what was red before it began is nobody's fault. */
async function learn(outside: WardOutside, run: Run, checks: FailingCheck[]): Promise<void> {
  const { state } = run.record
  if (state.kind !== 'loop' && state.kind !== 'pool') return
  const old = redBefore(run)
  const red = checks
    .map(({ id, command, failure }) => ({ key: hashOf(id), count: 1, text: failure ?? `the check ${command}` }))
    .filter(({ key }) => !old?.has(key))
  const directory = new LoopDirectory(state.loop.directory, outside.disk)
  if (red.length === 0) return
  // What the checks said counts without it: a file that cannot be written is no reason to run them again.
  try {
    if (await directory.isThere()) await appendLessons(directory, state.errors ?? [], red)
  } catch (error) {
    outside.log(`run ${run.id}: no lesson was written: ${(error as Error).message}`)
  }
}

/** The diff of what makes green checks no proof: whether it is right is for others to say. */
async function changesOf(
  outside: WardOutside,
  run: Run,
  { base, commit, project }: WardOn,
  tampering: Tampering[],
): Promise<string | null> {
  const paths = [...new Set(tampering.map(({ path }) => path))].filter(Boolean).slice(0, MOST_NAMED)
  if (base === null || commit === null || paths.length === 0) return null
  const request = { directory: project, from: base, to: commit, stat: false, paths }
  const { text } = await outside.repository.diff(request)
  return text ? outside.textsOf(run.id).put(text.slice(0, REPORT_CHARACTERS)) : null
}

/** What checking uses of the daemon. */
export type WardOutside = {
  home: string
  disk: Disk
  repository: Repository
  environments: Environments
  /** Commits whose checks were green need not be checked again. */
  greens: GreenCache
  directoryOf(run: string): string
  textsOf(run: string): Texts
  log(line: string): void
  now(): number
}

/** `root`: where the commands ran, for paths in what they printed. */
type Warded = {
  results: CommandResult[]
  cached: boolean
  problem: string | null
  tampering: Tampering[]
  root: string
}

async function ward(outside: WardOutside, run: Run, key: string, on: WardOn, signal: AbortSignal): Promise<Warded> {
  const { state } = run.record
  if (state.kind === 'session') throw new Error(`run ${run.id} has no ward`)
  const { project, commit, tree, base, own } = on
  const commands = (JSON.parse(await outside.textsOf(run.id).get(state.loop.ward!)) as string[]).map(command => ({
    command,
  }))
  const environment =
    on.environment ?? outside.environments.of(run.id, state.spec.session, state.environment).environment
  const outputDirectory = join(outside.directoryOf(run.id), 'wards')
  const timeLimitMs = state.loop.wardTimeMs
  if (commit === null || tree === null) {
    const { results } = await runWard({
      directory: project,
      commands,
      environment,
      timeLimitMs,
      outputDirectory,
      key,
      signal,
    })
    return { results, cached: false, problem: null, tampering: [], root: project }
  }
  const repository = await outside.repository.locate(project)
  if (!repository) {
    return notRun('the project is in no git repository any more')
  }
  const path = join(outside.home, 'worktrees', `${run.id}-ward`)
  const keep = ['node_modules', '.venv']
  // A checkpoint that is gone stays gone: trying again and again would leave the run hanging without a word.
  const clean = await outside.repository.cleanWorktree({ repository: project, commit, path, keep }).catch(error => {
    if (error instanceof RehoboamError && error.code === 'git-failed') return error.message
    throw error
  })
  if (typeof clean === 'string') return notRun(clean)
  const setup = {
    from: repository.root,
    to: clean.path,
    project: relative(repository.root, await realpath(project)),
    stateDirectory: join(outside.directoryOf(run.id), 'ward-setup'),
    environment,
    ...(await setupOf(outside, run)),
    isCleaned: true,
    timeLimitMs: SETUP_MS,
    signal,
  }
  // While the checks run. What they say of it counts only when they are green.
  const looking =
    base === null || commit === base
      ? null
      : tamperedBetween({ environment, directory: project, base, commit, project: setup.project, commands })
  looking?.catch(() => {})
  const warded = await wardTree({
    tree,
    setup,
    commands,
    timeLimitMs,
    outputDirectory,
    key,
    cache: outside.greens,
    own,
  })
  const isGreen = warded.problem === null && wardStands(warded.results) === 'green'
  return { ...warded, tampering: (isGreen && (await looking)) || [], root: clean.path }
}

function notRun(problem: string): Warded {
  return { results: [], cached: false, problem, tampering: [], root: '' }
}

function tamperingWords(tampering: Tampering[]): string {
  const named = tampering.slice(0, MOST_NAMED).map(({ sentence }) => `- ${sentence}`)
  return ['The checks are green, but they are not those that it began with, so they prove nothing:', ...named].join(
    '\n',
  )
}

/** A green one from the cache has no output any more, and needs none. */
async function readResult(result: CommandResult, root: string): Promise<ReadCheck> {
  const output = await readWardOutput(result.output).catch(() => '')
  return { result, output, failures: failuresIn(output, root)?.failures ?? [] }
}

/** The checks that were red before the run began; null: not known, or none were. */
function redBefore(run: Run): ReadonlySet<string> | null {
  const { state } = run.record
  return state.kind === 'session' || !state.baseRed?.length ? null : new Set(state.baseRed)
}
