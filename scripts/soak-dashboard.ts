// Ten minutes of the terminal dashboard before a thousand agents and a thousand events a second, with somebody who looks at
// everything meanwhile: its memory stays what it is. What came of it is in soak-results/dashboard.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { tuiStage } from '../bench/tui-stage.ts'
import { treeHash } from './lanes/results.ts'

const root = join(import.meta.dirname, '..')
const [AGENTS, EVENTS_PER_SECOND] = [1_000, 1_000]
const MINUTES = 10
// Every view, up and down in each, an agent with what it says, a search, and back.
const WALK = ['g', 'j', 'j', '\r', '\u001b', 'i', 'j', '\r', '\u001b', 'r', 'j', 'T', 'e', 'd', '?', '\u001b', 'w', 'b']
const WALK_MS = 400
// The first two minutes compile, and fill what is kept up to its bounds.
const SETTLED_MINUTE = 2
const GROWTH = 1.1

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const startedAt = Date.now()
const stage = tuiStage(AGENTS, EVENTS_PER_SECOND)
const samples: { minute: number; heapMb: number; residentMb: number }[] = []
for (let minute = 1; minute <= MINUTES; minute++) {
  for (let n = 0; Date.now() - startedAt < minute * 60_000; n++) {
    stage.press(WALK[n % WALK.length]!)
    await delay(WALK_MS)
  }
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  const sample = { minute, heapMb: inMb(heapUsed), residentMb: inMb(rss) }
  samples.push(sample)
  process.stderr.write(`minute ${minute}: heap ${sample.heapMb} MB, resident ${sample.residentMb} MB\n`)
}
const events = stage.eventsSent()
await stage.leave()

const settled = samples.filter(({ minute }) => minute >= SETTLED_MINUTE)
const wrong = (['heapMb', 'residentMb'] as const).flatMap(what => {
  const [early, late] = [mean(settled.slice(0, 3), what), mean(settled.slice(-3), what)]
  return late / early < GROWTH ? [] : [`${what} grew from ${early} to ${late}`]
})
// A machine that is busy sends fewer; half of them would be another test.
if (events < MINUTES * 60 * EVENTS_PER_SECOND * 0.8) wrong.push(`only ${events} events were sent`)
const result = {
  date: new Date(startedAt).toISOString().slice(0, 10),
  version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
  node: process.version,
  tree: treeHash(root),
  agents: AGENTS,
  events,
  samples,
  wrong,
  durationSec: Math.round((Date.now() - startedAt) / 1000),
}
mkdirSync(join(root, 'soak-results'), { recursive: true })
writeFileSync(join(root, 'soak-results', 'dashboard.json'), `${JSON.stringify(result, null, 2)}\n`)
process.stderr.write(`dashboard, ${events} events: ${wrong.length} wrong\n`)
for (const sentence of wrong) process.stderr.write(`  ${sentence}\n`)
process.exit(wrong.length ? 1 : 0)

function inMb(bytes: number): number {
  return Math.round(bytes / 1e5) / 10
}

function mean(of: typeof samples, what: 'heapMb' | 'residentMb'): number {
  return Math.round((of.reduce((sum, sample) => sum + sample[what], 0) / of.length) * 10) / 10
}
