// A hundred thousand hostile hook events through both doors; what came of it is in soak-results/hooks.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hookLane } from '../test/fuzz/hook-lane.ts'
import { measuredDaemon } from '../test/fuzz/measured.ts'
import { shownAfter } from '../test/fuzz/shown.ts'
import { treeHash } from './lanes/results.ts'

const root = join(import.meta.dirname, '..')
const SEED = 20_261_116
// The first part brings more sessions than are remembered, so that memory has reached what it will stay at.
const [FIRST, ALL] = [50_000, 100_000]
const STRANGERS = 1_000_000_000

const startedAt = Date.now()
await using daemon = await measuredDaemon()
const lane = await hookLane(daemon, { seed: SEED, strangers: STRANGERS })
await lane.upTo(FIRST)
const early = await daemon.memory()
await lane.upTo(ALL)
const late = await daemon.memory()
const raw = await shownAfter(daemon, await lane.showpiece())
lane.close()

const wrong = [
  ...lane.complaints,
  ...raw,
  ...(daemon.isAlive() ? [] : ['the daemon died']),
  ...(daemon.log().includes(' failed: ') ? ['the daemon failed at something; its log says at what'] : []),
  ...(lane.ranSomething() ? ['a shell ran what a payload says'] : []),
  ...(late / early < 1.1 ? [] : [`memory grew from ${early} to ${late} bytes`]),
]
const result = {
  date: new Date(startedAt).toISOString().slice(0, 10),
  version: JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version,
  node: process.version,
  tree: treeHash(root),
  seed: SEED,
  events: ALL,
  memoryBytes: { [`after ${FIRST}`]: early, [`after ${ALL}`]: late },
  wrong,
  durationSec: Math.round((Date.now() - startedAt) / 1000),
}
mkdirSync(join(root, 'soak-results'), { recursive: true })
writeFileSync(join(root, 'soak-results', 'hooks.json'), `${JSON.stringify(result, null, 2)}\n`)
console.log(`${ALL} hostile hook events: ${wrong.length} wrong, ${result.durationSec} s`)
for (const sentence of wrong) console.log(`  ${sentence}`)
process.exitCode = wrong.length ? 1 : 0
