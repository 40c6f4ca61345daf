import { expect, test } from 'vitest'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { hookLane } from './hook-lane.ts'
import { measuredDaemon, mostBytesAfter } from './measured.ts'
import { shownAfter } from './shown.ts'

const SEED = 27_182_818
// `npm run soak` sends a hundred thousand.
const [FIRST, ALL] = PLAYS_ALL ? [4_000, 8_000] : [1_000, 2_000]

test(`${ALL} hostile hook events through both doors: all are answered, memory stays, and nothing of them reaches a terminal or a shell (seed ${SEED}) [fuzz-hooks] [fuzz-memory]`, async () => {
  await using daemon = await measuredDaemon()
  const lane = await hookLane(daemon, { seed: SEED, strangers: 200 })
  await lane.upTo(FIRST)
  const early = await daemon.memory()
  await lane.upTo(ALL)
  const late = await daemon.memory()
  expect(lane.complaints).toEqual([])
  expect(daemon.isAlive()).toBe(true)
  expect(daemon.log()).not.toMatch(/ failed: /)
  expect(late, `${early} bytes after ${FIRST}, ${late} after ${ALL}`).toBeLessThan(mostBytesAfter(early, ALL - FIRST))
  expect(await shownAfter(daemon, await lane.showpiece(), PLAYS_ALL ? 5 : 1)).toEqual([])
  lane.close()
  expect(lane.ranSomething()).toBe(false)
}, 600_000)
