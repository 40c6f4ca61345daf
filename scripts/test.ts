// `npm test`: everything that has to hold, step by step. `npm test -- test/journal` runs matching tests only.
// `npm run test:all` (--all) plays the real client wherever a test takes either, and all kill stories.
// --no-retry runs no failed test a second time. --report FILE leaves the counts and the failed tests in that file.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanEnvironment } from './lanes/environment.ts'
import { isOn, missingOn, remedy } from './lanes/needs.ts'
import { runProgram } from './lanes/program.ts'
import {
  countsLine,
  HOMES_LIST,
  nothingRan,
  REPORT_FILE,
  type Report,
  readReport,
  slowestLines,
  whyRed,
} from './lanes/report.ts'
import { ageLine, readAllResult, treeHash, whyAll, writeAllResult } from './lanes/results.ts'
import { patternOf, type Retried, retriedLines, toRetry, withRetries } from './lanes/retry.ts'
import { type Outcome, runSteps, type Step } from './lanes/steps.ts'

const root = join(import.meta.dirname, '..')
const startedMs = Date.now()
// Everything else is for the test runner.
const wanted = process.argv.slice(2)
const isAll = takeFlag('--all')
const canRetry = !takeFlag('--no-retry')
const reportCopy = takeValue('--report')
const isWhole = wanted.length === 0
// Before the run: what is changed meanwhile was not tested.
const tree = treeHash(root)
const due = isWhole && !isAll ? whyAll(root) : undefined
const playsAll = isAll || due !== undefined
const environment = cleanEnvironment(process.env)
const scratch = mkdtempSync(join(tmpdir(), 'rehoboam-test-'))
const interrupted = new AbortController()
const closing: string[] = []
let report: Report = nothingRan

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())

const whole: Step[] = [
  { name: 'types', again: 'npm run types', run: () => program('tsc', '--noEmit') },
  {
    name: 'lint',
    again: 'npm run lint (npm run format fixes most of it)',
    run: () => program('biome', 'check', '--error-on-warnings', '.'),
  },
]

if (due) console.log(`playing everything, as npm run test:all does: ${due}`)
const ok = await runSteps(
  [
    { name: 'needs', again: 'npm test, once what is missing is installed', needed: true, run: installNeeds },
    { name: 'build', again: 'npm run build', needed: true, run: build },
    ...(isWhole ? whole : []),
    {
      name: 'tests',
      again: `npm ${playsAll ? 'run test:all' : 'test'} -- <a file named above>`,
      loud: true,
      run: runTests,
    },
  ],
  text => process.stdout.write(text),
  interrupted.signal,
)

if (isWhole && !interrupted.signal.aborted) {
  // A run that tested nothing leaves no result, and one during which a file changed proves nothing.
  if (playsAll && report.passed + report.failed > 0)
    writeAllResult(root, report, { isGreen: ok && treeHash(root) === tree, startedMs, tree })
  if (report.files.length > 0) closing.unshift('slowest files:', ...slowestLines(report.files))
  closing.push(ageLine(readAllResult(root), tree, Date.now()))
  closing.push(`took ${Math.round((Date.now() - startedMs) / 1000)} s`)
}
if (reportCopy) writeFileSync(reportCopy, JSON.stringify(report))
rmSync(scratch, { recursive: true, force: true })
for (const line of [...closing, countsLine(report)]) console.log(line)
process.exit(interrupted.signal.aborted ? 130 : ok ? 0 : 1)

async function runTests(): Promise<Outcome> {
  const first = await runVitest('report.json', ...wanted)
  const isRetrying = canRetry && !playsAll && !interrupted.signal.aborted
  const failures = isRetrying ? toRetry(first.report, readRetried()) : []
  const tries = []
  for (const failure of failures) {
    const args = [failure.file, '-t', patternOf(failure), '--maxWorkers=1']
    tries.push({ failure, second: (await runVitest('retry.json', ...args)).report })
  }
  report = tries.length > 0 ? withRetries(first.report, tries) : first.report
  closing.push(...retriedLines(tries, new Date(startedMs).toISOString().slice(0, 10)))
  // After a second try its reports decide: the first run's exit code still tells of the failures.
  const red = whyRed(report, tries.length > 0 ? 0 : first.exitCode)
  return red ? { ok: false, says: red } : { ok: true }
}

async function runVitest(reportName: string, ...args: string[]): Promise<{ report: Report; exitCode: number }> {
  const file = join(scratch, reportName)
  const homes = join(scratch, 'homes')
  mkdirSync(homes, { recursive: true })
  rmSync(file, { force: true })
  const { exitCode } = await runProgram({
    command: ['vitest', 'run', ...args],
    cwd: root,
    environment: {
      ...environment,
      [REPORT_FILE]: file,
      [HOMES_LIST]: homes,
      TEST_ALL: playsAll ? '1' : '',
    },
    signal: interrupted.signal,
    loud: true,
  })
  if (interrupted.signal.aborted && readdirSync(homes).length > 0) await endHomes(homes)
  return { report: readReport(file), exitCode }
}

function readRetried(): Retried[] {
  return JSON.parse(readFileSync(join(root, 'test/retried.json'), 'utf8'))
}

/** Runs in a process of its own, so that a second signal cannot end it halfway. Loaded only when something is left. */
async function endHomes(homes: string): Promise<void> {
  const command = ['node', 'test/support/end-homes.ts', homes]
  await runProgram({ command, cwd: root, environment, signal: new AbortController().signal })
}

async function installNeeds(): Promise<Outcome> {
  const path = environment.PATH ?? ''
  const machine = { root: process.getuid?.() === 0, apt: isOn(path, 'apt-get'), platform: process.platform }
  const plan = remedy(missingOn(path), machine)
  if (plan.do === 'nothing') return { ok: true }
  if (plan.do === 'tell') return { ok: false, says: plan.sentence }
  // One package source of many that does not answer makes this fail, and need not matter: the installation decides.
  await program('apt-get', 'update')
  const installed = await program('apt-get', 'install', '-y', '--no-install-recommends', ...plan.packages)
  return { ...installed, says: `${installed.ok ? 'installed' : 'could not install'} ${plan.packages.join(', ')}` }
}

async function build(): Promise<Outcome> {
  const scripts = ['scripts/build.mjs', 'scripts/build-puppet.mjs']
  const built = await Promise.all(scripts.map(script => program('node', script)))
  return built.find(({ ok }) => !ok) ?? { ok: true }
}

function program(...command: string[]): Promise<Outcome> {
  return runProgram({
    command,
    cwd: root,
    environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    signal: interrupted.signal,
  })
}

function takeFlag(name: string): boolean {
  const place = wanted.indexOf(name)
  if (place < 0) return false
  wanted.splice(place, 1)
  return true
}

function takeValue(name: string): string | undefined {
  const place = wanted.indexOf(name)
  return place < 0 ? undefined : wanted.splice(place, 2)[1]
}
