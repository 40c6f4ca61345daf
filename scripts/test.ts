// `npm test`: everything that has to hold, step by step. `npm test -- test/journal.test.ts` runs matching tests only.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanEnvironment } from './lanes/environment.ts'
import { isOn, missingOn, remedy } from './lanes/needs.ts'
import { runProgram } from './lanes/program.ts'
import { countsLine, HOMES_LIST, nothingRan, REPORT_FILE, type Report, whyRed } from './lanes/report.ts'
import { type Outcome, runSteps, type Step } from './lanes/steps.ts'

const root = join(import.meta.dirname, '..')
const wanted = process.argv.slice(2)
const environment = cleanEnvironment(process.env)
const scratch = mkdtempSync(join(tmpdir(), 'rehoboam-test-'))
const interrupted = new AbortController()
let report: Report = nothingRan

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())

const whole: Step[] = [
  { name: 'types', again: 'npm run types', run: () => program('tsc', '--noEmit') },
  {
    name: 'lint',
    again: 'npm run lint (npm run format mends most of it)',
    run: () => program('biome', 'check', '--error-on-warnings', '.'),
  },
]

const ok = await runSteps(
  [
    { name: 'needs', again: 'npm test, once what is missing is there', needed: true, run: installNeeds },
    { name: 'build', again: 'npm run build', needed: true, run: () => program('node', 'scripts/build.mjs') },
    ...(wanted.length === 0 ? whole : []),
    { name: 'tests', again: 'npm test -- <a file named above>', loud: true, run: runTests },
  ],
  text => process.stdout.write(text),
  interrupted.signal,
)

rmSync(scratch, { recursive: true, force: true })
console.log(countsLine(report))
process.exit(interrupted.signal.aborted ? 130 : ok ? 0 : 1)

async function installNeeds(): Promise<Outcome> {
  const path = environment.PATH ?? ''
  const machine = { root: process.getuid?.() === 0, apt: isOn(path, 'apt-get'), platform: process.platform }
  const plan = remedy(missingOn(path), machine)
  if (plan.do === 'nothing') return { ok: true }
  if (plan.do === 'tell') return { ok: false, says: plan.sentence }
  // One source of many that does not answer makes this fail, and need not matter: the installation decides.
  await program('apt-get', 'update')
  const installed = await program('apt-get', 'install', '-y', '--no-install-recommends', ...plan.packages)
  return { ...installed, says: `${installed.ok ? 'installed' : 'could not install'} ${plan.packages.join(', ')}` }
}

async function runTests(): Promise<Outcome> {
  const file = join(scratch, 'report.json')
  const homes = join(scratch, 'homes')
  mkdirSync(homes)
  const { exitCode } = await runProgram({
    command: ['vitest', 'run', ...wanted],
    cwd: root,
    environment: { ...environment, [REPORT_FILE]: file, [HOMES_LIST]: homes },
    signal: interrupted.signal,
    loud: true,
  })
  if (interrupted.signal.aborted && readdirSync(homes).length > 0) await endHomes(homes)
  report = readReport(file)
  const red = whyRed(report, exitCode)
  return red ? { ok: false, says: red } : { ok: true }
}

/** A process of its own, which no second signal ends half-way: what tests use is not loaded before it is needed. */
async function endHomes(homes: string): Promise<void> {
  const command = ['node', 'test/support/end-homes.ts', homes]
  await runProgram({ command, cwd: root, environment, signal: new AbortController().signal })
}

/** No file: the runner ended before it could judge anything. */
function readReport(file: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return nothingRan
  }
}

function program(...command: string[]): Promise<Outcome> {
  return runProgram({
    command,
    cwd: root,
    environment: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    signal: interrupted.signal,
  })
}
