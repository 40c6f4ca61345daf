import { afterAll, expect, test } from 'vitest'
import { buildDaemon, type Variant } from '../runtime/lane/lane.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { KEPT_LOOP_SEEDS } from './lane/kept-seeds.ts'
import { playLoops } from './lane/lane.ts'

// 5 stories in `npm test`, 25 in `npm run test:all`, 300 in `npm run soak`, as for sessions in test/runtime.
const COUNT: Record<Variant, number> = PLAYS_ALL ? { kill: 15, 'power-cut': 10 } : { kill: 3, 'power-cut': 2 }

const daemon = buildDaemon()
afterAll(() => daemon[Symbol.dispose]())

function seeds(variant: Variant): number[] {
  const kept = KEPT_LOOP_SEEDS[variant]
  const fresh = Array.from({ length: COUNT[variant] }, (_, n) => n + 1).filter(seed => !kept.includes(seed))
  return [...kept, ...fresh].slice(0, Math.max(COUNT[variant], kept.length))
}

test.concurrent.each(seeds('kill'))(
  'daemons, clients and tmux servers of loops killed at any moment: no iteration is lost, repeated or run twice at once (seed %i) [loop-random-kill]',
  async seed => expect(await playLoops(seed, 'kill', daemon.path)).toEqual([]),
)

test.concurrent.each(seeds('power-cut'))(
  'power cuts under loops: closed iterations and their checkpoints are there, and every loop goes on (seed %i) [loop-power-cut]',
  async seed => expect(await playLoops(seed, 'power-cut', daemon.path)).toEqual([]),
)
