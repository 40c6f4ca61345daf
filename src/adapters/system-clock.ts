import type { Clock } from '../ports.ts'

// A timeout counts the time that the machine is awake, and at most 2^31 ms. Looking at the wall clock this often
// means that a timer is at most this late after a sleep.
const LOOK_EVERY_MS = 15_000

export const systemClock: Clock = {
  now: () => Date.now(),
  at(ms, fire) {
    let timer: NodeJS.Timeout
    const arm = () => {
      const left = ms - Date.now()
      timer = setTimeout(left <= LOOK_EVERY_MS ? fire : arm, Math.max(0, Math.min(left, LOOK_EVERY_MS)))
    }
    arm()
    return () => clearTimeout(timer)
  },
}
