import { setTimeout as delay } from 'node:timers/promises'
import { Store } from '../src/tui/dashboard-store.ts'
import { type Measure, median, rounded } from './statistics.ts'
import { restMeasure } from './tui-rest.ts'
import { tuiStage } from './tui-stage.ts'

const AGENTS = 1_000
const EVENTS_PER_SECOND = 1_000
const FOR_MS = 20_000
const KEYS = 100

/** A thousand agents and a thousand events a second: how long a frame takes, how soon a key is answered; and what rest costs. */
export async function tuiBench(): Promise<Measure[]> {
  const name = `dashboard, ${AGENTS} agents`
  const drawnAt: number[] = []
  const draw = Store.prototype.draw
  Store.prototype.draw = function (size) {
    drawnAt.push(performance.now())
    return draw.call(this, size)
  }
  const stage = tuiStage(AGENTS, EVENTS_PER_SECOND)
  const frames: number[] = []
  const from = performance.now()
  let seen = 0
  while (performance.now() - from < FOR_MS) {
    await delay(2)
    // A frame is from the moment that it is begun until its last byte is written.
    if (stage.lastWrite() <= seen) continue
    seen = stage.lastWrite()
    const begun = drawnAt.findLast(at => at <= seen)
    if (begun !== undefined) frames.push(seen - begun)
  }
  const keys: number[] = []
  for (let n = 0; n < KEYS; n++) {
    keys.push(await stage.key(n % 20 < 10 ? 'j' : 'k'))
    await delay(37)
  }
  await stage.leave()
  Store.prototype.draw = draw
  const late = (values: number[], part: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0
  return [
    { name, what: `a frame, median of ${frames.length}`, is: rounded(median(frames)), unit: 'ms', under: 16 },
    { name, what: 'a frame, p99', is: rounded(late(frames, 0.99)), unit: 'ms', under: 33 },
    { name, what: `a key on the screen, p95 of ${KEYS}`, is: rounded(late(keys, 0.95)), unit: 'ms', under: 50 },
    await restMeasure(),
  ]
}
