// `npm run test:repeat -- 6 [--busy]`: the whole `npm test`, without retries, until the table has six rows of this kind for
// this tree. Rows of an earlier, interrupted command on the same tree count, so the same words continue it.
// --busy runs four endless loops beside it. On idle cores a run of more than ten minutes fails.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from './lanes/program.ts'
import { addRow, type Row, rowsOf, wrongIn } from './lanes/repeat-table.ts'
import { nameOf, nothingRan, type Report } from './lanes/report.ts'
import { treeHash } from './lanes/results.ts'

const root = join(import.meta.dirname, '..')
const table = join(root, 'test-results/repeat.md')
const BUSY_LOOPS = 4

const [wish, ...flags] = process.argv.slice(2)
const count = Number(wish)
const isBusy = flags.includes('--busy')
if (!Number.isInteger(count) || count < 1 || flags.some(flag => flag !== '--busy')) {
  console.error('usage: npm run test:repeat -- N [--busy]   for example: npm run test:repeat -- 6 --busy')
  process.exit(2)
}

const interrupted = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort())

const tree = treeHash(root) ?? 'unknown'
const kind = isBusy ? 'busy' : 'idle'
mkdirSync(join(root, 'test-results'), { recursive: true })
const rows = () => rowsOf(table).filter(row => row.tree === tree && row.kind === kind)
console.log(`tree ${tree}, ${kind}: ${rows().length} of ${count} runs are in ${table.slice(root.length + 1)}`)

while (rows().length < count && !interrupted.signal.aborted) {
  const row = await runOnce()
  if (!row) break
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
      command: ['npm', 'test', '--', '--no-retry', '--report', file],
      cwd: root,
      environment: process.env,
      signal: interrupted.signal,
    })
    // An interrupted run proves nothing in either direction.
    if (interrupted.signal.aborted) return undefined
    if (exitCode !== 0) console.log(output)
    const { passed, failed, failures }: Report = { ...nothingRan, ...JSON.parse(readFileSync(file, 'utf8')) }
    const seconds = Math.round((Date.now() - startedMs) / 1000)
    const names = failures.map(nameOf).join('; ')
    return { date: new Date(startedMs).toISOString(), tree, kind, exitCode, passed, failed, seconds, names }
  } finally {
    for (const loop of loops) loop.kill('SIGKILL')
    rmSync(scratch, { recursive: true, force: true })
  }
}

function startLoop(): ChildProcess {
  return spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
}
