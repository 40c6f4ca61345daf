// `npm run soak`: the random lanes of test/runtime with all their seeds. `npm run soak -- 40 1000` plays 40 of each from 1000 on.
// A whole one begins with the hostile hook events of scripts/soak-hooks.ts, which can be started by itself.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { KEPT_SEEDS } from '../test/runtime/lane/kept-seeds.ts'
import { buildDaemon, playSeed, type Variant } from '../test/runtime/lane/lane.ts'
import { foreignNames } from './lanes/environment.ts'

const root = join(import.meta.dirname, '..')
const RESULT = join(root, 'soak-results', 'runtime.json')
// 300 in all. Kills are what happens every week; a power cut needs all of its luck at once.
const COUNT: Record<Variant, number> = { kill: 200, 'power-cut': 100 }
// A story mostly waits for its processes.
const AT_ONCE = availableParallelism() + 1

type Failure = { variant: Variant; seed: number; wrong: string[] }

for (const name of foreignNames(process.env)) delete process.env[name]
if (!existsSync(join(root, 'dist', 'puppet.cjs'))) execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')])

const [count, from] = process.argv.slice(2).map(Number)
const stories = (['kill', 'power-cut'] as const).flatMap(variant =>
  Array.from({ length: count ?? COUNT[variant] }, (_, n) => ({ variant, seed: (from ?? 1) + n })),
)
const kept = (['kill', 'power-cut'] as const).flatMap(variant => KEPT_SEEDS[variant].map(seed => ({ variant, seed })))
const all = [
  ...stories,
  ...kept.filter(({ variant, seed }) => !stories.some(s => s.variant === variant && s.seed === seed)),
]

const hooks = join(import.meta.dirname, 'soak-hooks.ts')
const hooksHeld = count !== undefined || spawnSync(process.execPath, [hooks], { stdio: 'inherit' }).status === 0
const startedAt = Date.now()
const failed: Failure[] = []
let done = 0
const daemon = buildDaemon()
const queue = [...all]
await Promise.all(Array.from({ length: AT_ONCE }, playOn))
daemon[Symbol.dispose]()

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const result = {
  date: new Date(startedAt).toISOString().slice(0, 10),
  version,
  node: process.version,
  seeds: { kill: spread('kill'), 'power-cut': spread('power-cut') },
  passed: all.length - failed.length,
  failed,
  durationSec: Math.round((Date.now() - startedAt) / 1000),
}
// A part of the seeds is for those who look for something; only a whole run is a result.
if (count === undefined) {
  mkdirSync(join(root, 'soak-results'), { recursive: true })
  writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`)
}
console.log(`${result.passed} passed, ${failed.length} failed, ${result.durationSec} s`)
if (failed.length)
  console.log('keep the failed seeds in test/runtime/lane/kept-seeds.ts: every npm test plays them again')
process.exit(failed.length || !hooksHeld ? 1 : 0)

async function playOn(): Promise<void> {
  for (let story = queue.shift(); story; story = queue.shift()) {
    const wrong = await playSeed(story.seed, story.variant, daemon.path)
    done += 1
    if (wrong.length) failed.push({ ...story, wrong })
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
    console.log(
      `${done}/${all.length} ${story.variant} ${story.seed} ${wrong.length ? 'FAILED' : 'ok'} (${minutes} min)`,
    )
    for (const sentence of wrong) console.log(`  ${sentence}`)
  }
}

function spread(variant: Variant) {
  const seeds = all.filter(story => story.variant === variant).map(({ seed }) => seed)
  return { count: seeds.length, from: Math.min(...seeds), to: Math.max(...seeds) }
}
