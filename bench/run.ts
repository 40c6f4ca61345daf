// `npm run bench`: figures side by side, medians of runs that take turns. Ends non-zero when a promised limit is missed.
// With names (`npm run bench -- loop`) only those, and results.json stays as it is.
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { agentsBench } from './agents.ts'
import { decisionBench } from './decision.ts'
import { doorBench } from './door.ts'
import { hookBench } from './hook.ts'
import { judgeBench, matrixLines } from './judge.ts'
import { loopBench } from './loop.ts'
import { poolBench } from './pool.ts'
import { questBench } from './quest.ts'
import { restartBench } from './restart.ts'
import { sessionBench } from './session.ts'
import { type Figure, type Measure, missed } from './statistics.ts'
import { tuiBench } from './tui.ts'
import { versionBench } from './version.ts'

const RESULTS = join(import.meta.dirname, 'results.json')

const machine = {
  cores: availableParallelism(),
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  memoryGb: Math.round(totalmem() / 1e9),
  system: `${platform()} ${release()}`,
  node: process.version,
  loadBefore: Number(loadavg()[0]?.toFixed(2)),
}
console.log(`${machine.cores} cores of ${machine.cpu}, Node ${machine.node}, load ${machine.loadBefore}`)
// Sides take turns, so ratios bear some of it. Times do not.
if (machine.loadBefore > machine.cores / 2)
  console.log('the machine is busy with something else: these figures mean little')
console.log('')

const benches = {
  version: versionBench,
  hook: hookBench,
  decision: decisionBench,
  restart: restartBench,
  session: sessionBench,
  loop: loopBench,
  pool: poolBench,
  quest: questBench,
  agents: agentsBench,
  door: doorBench,
  tui: tuiBench,
}
const wanted = process.argv.slice(2)
const known = [...Object.keys(benches), 'judge']
const unknown = wanted.filter(name => !known.includes(name))
if (unknown.length > 0) throw new Error(`there is no bench ${unknown.join(', ')}; there are ${known.join(', ')}`)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)

const figures: (Figure | Measure)[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (!isWanted(name)) continue
  for (const figure of await bench()) {
    figures.push(figure)
    console.log(line(figure))
  }
}
const judge = isWanted('judge') ? judgeBench() : null
if (judge) console.log(['', ...matrixLines(judge)].join('\n'))
if (wanted.length === 0) {
  writeFileSync(RESULTS, `${JSON.stringify({ at: new Date().toISOString(), machine, figures, judge }, null, 2)}\n`)
}

const complaints = [...figures.flatMap(missed), ...(judge?.missed ?? [])]
for (const complaint of complaints) console.error(`MISSED  ${complaint}`)
process.exitCode = complaints.length > 0 ? 1 : 0

function line(figure: Figure | Measure): string {
  if ('under' in figure) {
    const { name, what, is, unit, under } = figure
    return `${name.padEnd(30)} ${String(is).padStart(7)} ${unit} (under ${under}): ${what}`
  }
  const { name, baseline, subject, ratio, spread, limits, runs } = figure
  const limit = [
    limits.ratio === undefined ? [] : `at most ${limits.ratio}`,
    limits.medianMs === undefined ? [] : `under ${limits.medianMs} ms`,
  ].flat()
  const promised = limit.length ? ` (${limit.join(', ')})` : ''
  const sides = `${subject.name} ${subject.medianMs} ms, ${baseline.name} ${baseline.medianMs} ms`
  const parts = Object.entries(figure.parts ?? {}).map(
    ([part, ms]) => `\n${' '.repeat(31)}${String(ms).padStart(7)} ${part}`,
  )
  const pairs = `${runs} pairs from ${spread.least} to ${spread.most}`
  return `${name.padEnd(30)} ${String(ratio).padStart(7)} times${promised.padEnd(26)} ${sides}, ${pairs}${parts.join('')}`
}
