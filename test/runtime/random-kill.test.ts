import { afterAll, expect, test } from 'vitest'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { KEPT_SEEDS } from './lane/kept-seeds.ts'
import { buildDaemon, playSeed, type Variant } from './lane/lane.ts'

// 5 stories in `npm test`, 25 in `npm run test:all`, 300 in `npm run soak`. A seed fixes everything that chance decides; what the machine's scheduler does
// is its own, so one seed is many stories over the years.
const COUNT: Record<Variant, number> = PLAYS_ALL ? { kill: 15, 'power-cut': 10 } : { kill: 3, 'power-cut': 2 }

const daemon = buildDaemon()
afterAll(() => daemon[Symbol.dispose]())

function seeds(variant: Variant): number[] {
  const kept = KEPT_SEEDS[variant]
  const fresh = Array.from({ length: COUNT[variant] }, (_, n) => n + 1).filter(seed => !kept.includes(seed))
  return [...kept, ...fresh].slice(0, Math.max(COUNT[variant], kept.length))
}

test.concurrent.each(seeds('kill'))(
  'daemons killed at any call of a port: every run ends, replay equals live, each effect has one result (seed %i) [runtime-random-kill] [runtime-replay]',
  async seed => expect(await playSeed(seed, 'kill', daemon.path)).toEqual([]),
)

test.concurrent.each(seeds('power-cut'))(
  'power cuts that leave what was synced and any part of the rest: what was acknowledged is there, and every run ends (seed %i) [runtime-random-kill]',
  async seed => expect(await playSeed(seed, 'power-cut', daemon.path)).toEqual([]),
)
