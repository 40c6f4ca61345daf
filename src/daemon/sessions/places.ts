import type { Clock } from '../../ports.ts'

type Waiting = { age: number; go: () => void }

/** At most so many sessions at once on this machine, and so many starts a second: the oldest run goes first. */
export class Places {
  readonly #clock: Clock
  readonly #max: number
  readonly #betweenStartsMs: number
  #taken = 0
  #nextStartAt = 0
  #waiting: Waiting[] = []
  #armed = false

  constructor(clock: Clock, limits: { max: number; startsPerSecond: number }) {
    this.#clock = clock
    this.#max = limits.max
    this.#betweenStartsMs = 1000 / limits.startsPerSecond
  }

  get taken(): number {
    return this.#taken
  }

  /** For a session that runs already: it has its place, whatever the limit says. */
  takeAtOnce(): () => void {
    this.#taken += 1
    return this.#release()
  }

  /** Waits for a place. `age` is when its run was created. */
  take(age: number, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter(other => other !== waiting)
        reject(signal.reason)
      }
      const go = () => {
        signal.removeEventListener('abort', leave)
        this.#taken += 1
        resolve(this.#release())
      }
      const waiting: Waiting = { age, go }
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', leave)
      this.#waiting.push(waiting)
      this.#waiting.sort((a, b) => a.age - b.age)
      this.#next()
    })
  }

  #next(): void {
    if (this.#armed || this.#waiting.length === 0 || this.#taken >= this.#max) return
    const now = this.#clock.now()
    if (now < this.#nextStartAt && this.#nextStartAt - now <= this.#betweenStartsMs) {
      this.#armed = true
      this.#clock.at(this.#nextStartAt, () => {
        this.#armed = false
        this.#next()
      })
      return
    }
    this.#nextStartAt = now + this.#betweenStartsMs
    this.#waiting.shift()?.go()
    this.#next()
  }

  #release(): () => void {
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#taken -= 1
      this.#next()
    }
  }
}
