// `npm run test:repeat -- 6 [--busy]`: the whole `npm test`, without retries, until the table has six rows of this kind for
// this tree. Rows of an interrupted series on the same tree count: run the same command again to continue.
// --busy runs four endless loops beside it. On idle cores a run of more than ten minutes fails.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './lanes/program.ts'
import { addRow, type Row, rowsOf, wrongIn } from './lanes/repeat-table.ts'
import { nameOf, readReport } from './lanes/report.ts'
import { treeHash, whyAll } from './lanes/results.ts'

const root = join(import.meta.dirname, '..')
const table = join(root, 'test-results/repeat.md')
const BUSY_LOOPS = 4
// An interrupted run ends the daemons of its tests before it ends itself.
const GRACE_MS = 60_000

const [countText, ...flags] = process.argv.slice(2)
const count = Number(countText)
const isBusy = flags.includes('--busy')
if (!Number.isInteger(count) || count < 1 || flags.some(flag => flag !== '--busy')) {
  console.error('usage: npm run test:repeat -- N [--busy]   for example: npm run test:repeat -- 6 --busy')
  process.exit(2)
}

const due = whyAll(root)
if (due) {
  console.error(`${due}: type npm run test:all first`)
  process.exit(2)
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())

const hash = () => treeHash(root) ?? 'unknown'
const tree = hash()
const kind = isBusy ? 'busy' : 'idle'
mkdirSync(join(root, 'test-results'), { recursive: true })
const rows = () => rowsOf(table).filter(row => row.tree === tree && row.kind === kind)
console.log(`tree ${tree}, ${kind}: ${rows().length} of ${count} runs are in ${table.slice(root.length + 1)}`)

while (rows().length < count && !interrupted.signal.aborted) {
  const row = await runOnce()
  if (!row) break
  if (hash() !== tree) {
    console.error('a file changed during the run: its row is not added')
    process.exit(2)
  }
  addRow(table, row)
  console.log(
    `run ${rows().length} of ${count}: ${row.passed} passed, ${row.failed} failed, ${row.seconds} s ${row.names}`,
  )
}
if (interrupted.signal.aborted) process.exit(130)
const wrong = rows().flatMap(wrongIn)
for (const sentence of wrong) console.log(sentence)
process.exit(wrong.length > 0 ? 1 : 0)

async function runOnce(): Promise<Row | undefined> {
  const scratch = mkdtempSync(join(tmpdir(), 'rehoboam-repeat-'))
  const file = join(scratch, 'report.json')
  const loops = isBusy ? Array.from({ length: BUSY_LOOPS }, startLoop) : []
  const startedMs = Date.now()
  try {
    const { exitCode, output } = await runProgram({
      // What `npm test` starts. npm does not pass a signal on to it.
      command: [process.execPath, 'scripts/test.ts', '--no-retry', '--report', file],
      cwd: root,
      environment: process.env,
      signal: interrupted.signal,
      graceMs: GRACE_MS,
    })
    // An interrupted run proves nothing in either direction.
    if (interrupted.signal.aborted) return undefined
    if (exitCode !== 0) console.log(output)
    const { passed, failed, failures } = readReport(file)
    const seconds = Math.round((Date.now() - startedMs) / 1000)
    const names = failures.map(nameOf).join('; ')
    return { date: new Date(startedMs).toISOString(), tree, kind, exitCode, passed, failed, seconds, names }
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
    rmSync(scratch, { recursive: true, force: true })
  }
}

function startLoop(): ChildProcess {
  // Ends by itself when whoever started it was killed.
  const loop = 'const { ppid } = process; while (process.ppid === ppid);'
  return spawn(process.execPath, ['-e', loop], { stdio: 'ignore' })
}
