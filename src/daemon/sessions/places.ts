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
  #holds = 0

  constructor(clock: Clock, limits: { max: number; startsPerSecond: number }) {
    this.#clock = clock
    this.#max = limits.max
    this.#betweenStartsMs = 1000 / limits.startsPerSecond
  }

  get taken(): number {
    return this.#taken
  }

  /** Until it is let go, nobody gets a place: somebody is still finding out whether they have one already. */
  hold(): () => void {
    this.#holds += 1
    return this.#once(() => {
      this.#holds -= 1
    })
  }

  /** For a session that runs already: it has its place, whatever the limit says. */
  takeAtOnce(): () => void {
    return this.#take()
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
        resolve(this.#take())
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
    if (this.#holds > 0 || this.#armed || this.#waiting.length === 0 || this.#taken >= this.#max) return
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

  #take(): () => void {
    this.#taken += 1
    return this.#once(() => {
      this.#taken -= 1
    })
  }

  /** Something to give back: the first time counts, and then others may go. */
  #once(giveBack: () => void): () => void {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      giveBack()
      this.#next()
    }
  }
}
