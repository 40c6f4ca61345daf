import { afterAll, expect, test } from 'vitest'
import { buildDaemon, type Variant } from '../runtime/lane/lane.ts'
import { KEPT_LOOP_SEEDS } from './lane/kept-seeds.ts'
import { playLoops } from './lane/lane.ts'

// 25 stories here, 300 in `npm run soak`, as test/runtime/random-kill.test.ts has them for sessions.
const COUNT: Record<Variant, number> = { kill: 15, 'power-cut': 10 }

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
