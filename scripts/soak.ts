// `npm run soak`: the random lanes of sessions, loops, pools and quests with all their seeds. `npm run soak -- loops` plays those of
// loops, `npm run soak -- loops 40 1000` 40 of each kind from 1000 on.
// A whole one begins with the hostile hook events of scripts/soak-hooks.ts and the ten minutes of scripts/soak-dashboard.ts,
// which can be started by themselves: `npm run soak -- hooks`, `npm run soak -- dashboard`.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { KEPT_LOOP_SEEDS } from '../test/loop/lane/kept-seeds.ts'
import { playLoops } from '../test/loop/lane/lane.ts'
import { killedPool } from '../test/pool/kill-story.ts'
import { killedQuest } from '../test/quest/kill-story.ts'
import { KEPT_SEEDS } from '../test/runtime/lane/kept-seeds.ts'
import { buildDaemon, playSeed, type Variant } from '../test/runtime/lane/lane.ts'
import { foreignNames } from './lanes/environment.ts'
import { treeHash } from './lanes/results.ts'

const root = join(import.meta.dirname, '..')
const LANES = {
  runtime: { play: playSeed, kept: KEPT_SEEDS, keptIn: 'test/runtime/lane/kept-seeds.ts' },
  loops: { play: playLoops, kept: KEPT_LOOP_SEEDS, keptIn: 'test/loop/lane/kept-seeds.ts' },
  // What a power cut does to a journal and to a repository is told by the other two.
  pools: { play: killedPool, kept: { kill: [], 'power-cut': null }, keptIn: 'test/pool/kill.test.ts' },
  quests: { play: killedQuest, kept: { kill: [], 'power-cut': null }, keptIn: 'test/quest/kill.test.ts' },
}
type Lane = keyof typeof LANES
// Kills are what happens every week; a power cut needs all of its luck at once.
const WHOLE = 300
const POWER_CUTS = 100
// A story mostly waits for its processes.
const AT_ONCE = availableParallelism() + 1

type Tale = { variant: Variant; seed: number }
type Failure = Tale & { wrong: string[] }
const VARIANTS = ['kill', 'power-cut'] as const

for (const name of foreignNames(process.env)) delete process.env[name]
const scripts = [...(existsSync(join(root, 'dist/rehoboam.cjs')) ? [] : ['build.mjs']), 'build-puppet.mjs']
for (const script of scripts) execFileSync(process.execPath, [join(import.meta.dirname, script)])

const [wish, ...numbers] = process.argv.slice(2)
const ALONE = ['hooks', 'dashboard']
if (wish !== undefined && !(wish in LANES) && !ALONE.includes(wish))
  throw new Error(`there is no lane ${wish}: ${[...ALONE, ...Object.keys(LANES)].join(', ')}`)
const [count, from] = numbers.map(Number)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
let allPassed = true
for (const name of ALONE.filter(one => wish === undefined || wish === one)) {
  const script = join(import.meta.dirname, `soak-${name}.ts`)
  if (spawnSync(process.execPath, [script], { stdio: 'inherit' }).status !== 0) allPassed = false
}
if (wish !== undefined && ALONE.includes(wish)) process.exit(allPassed ? 0 : 1)
const daemon = buildDaemon()
for (const lane of wish ? [wish as Lane] : (['runtime', 'loops', 'pools', 'quests'] as const)) {
  if ((await soak(lane)).length) allPassed = false
}
daemon[Symbol.dispose]()
process.exit(allPassed ? 0 : 1)

async function soak(lane: Lane): Promise<Failure[]> {
  const variants = VARIANTS.filter(variant => LANES[lane].kept[variant] !== null)
  const kills = WHOLE - (variants.includes('power-cut') ? POWER_CUTS : 0)
  const whole: Record<Variant, number> = { kill: kills, 'power-cut': POWER_CUTS }
  const stories = variants.flatMap(variant =>
    Array.from({ length: count ?? whole[variant] }, (_, n) => ({ variant, seed: (from ?? 1) + n })),
  )
  const kept = variants.flatMap(variant => (LANES[lane].kept[variant] ?? []).map(seed => ({ variant, seed })))
  const isNew = (one: Tale) => !stories.some(({ variant, seed }) => variant === one.variant && seed === one.seed)
  const all = [...stories, ...kept.filter(isNew)]
  const startedAt = Date.now()
  const failed: Failure[] = []
  const queue = [...all]
  const playOn = async () => {
    for (let story = queue.shift(); story; story = queue.shift()) {
      // A story that could not be told to its end is a failed one; the others are told all the same.
      const wrong = await LANES[lane].play(story.seed, story.variant, daemon.path).catch(error => [String(error)])
      if (wrong.length) failed.push({ ...story, wrong })
      const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
      const name = `${lane} ${story.variant} ${story.seed}`
      console.log(`${name} ${wrong.length ? 'FAILED' : 'ok'} (${queue.length} to come, ${minutes} min)`)
      for (const sentence of wrong) console.log(`  ${sentence}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, playOn))
  const result = {
    date: new Date(startedAt).toISOString().slice(0, 10),
    version,
    node: process.version,
    tree: treeHash(root),
    seeds: Object.fromEntries(variants.map(variant => [variant, spread(all, variant)])),
    passed: all.length - failed.length,
    failed,
    durationSec: Math.round((Date.now() - startedAt) / 1000),
  }
  // A part of the seeds is for those who look for something; only a whole run is a result.
  if (count === undefined) {
    mkdirSync(join(root, 'soak-results'), { recursive: true })
    writeFileSync(join(root, 'soak-results', `${lane}.json`), `${JSON.stringify(result, null, 2)}\n`)
  }
  console.log(`${lane}: ${result.passed} passed, ${failed.length} failed, ${result.durationSec} s`)
  if (failed.length) console.log(`keep the failed seeds in ${LANES[lane].keptIn}: every npm test plays them again`)
  return failed
}

function spread(all: Tale[], variant: Variant) {
  const seeds = all.filter(story => story.variant === variant).map(({ seed }) => seed)
  return { count: seeds.length, from: Math.min(...seeds), to: Math.max(...seeds) }
}
