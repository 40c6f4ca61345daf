import type { Clock } from '../../ports.ts'

type Waiting = { age: number; go: () => void }

/** At most so many sessions at once on this machine, and so many starts a second: the oldest run goes first. */
export class Places {
  readonly #clock: Clock
  readonly #max: number
  readonly #startsPerSecond: number
  #taken = 0
  /** When the last ones started, as many as may in a second. */
  #starts: number[] = []
  #waiting: Waiting[] = []
  #armed = false
  #holds = 0

  constructor(clock: Clock, limits: { max: number; startsPerSecond: number }) {
    this.#clock = clock
    this.#max = limits.max
    this.#startsPerSecond = limits.startsPerSecond
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
    const first = this.#starts.length < this.#startsPerSecond ? undefined : this.#starts[0]
    // A clock that was set back must not make anybody wait for it.
    if (first !== undefined && now >= first && now < first + 1000) {
      this.#armed = true
      this.#clock.at(first + 1000, () => {
        this.#armed = false
        this.#next()
      })
      return
    }
    this.#starts = [...this.#starts, now].slice(-this.#startsPerSecond)
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
