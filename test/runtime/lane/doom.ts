import { appendFileSync } from 'node:fs'
import type { Clock, Driver } from '../../../src/ports.ts'

/** When a daemon of the lane kills itself: at its so-many-th call of a port, before, in the middle of or after the deed. */
export type Plan = {
  /** The program that hooks start. */
  program: string
  notes: string
  copies: string
  /** Counted from 1; 0: never. */
  killAt: number
  phase: 'before' | 'middle' | 'after'
  /** How much of a deed is done when it is cut in the middle: 0 to 1. */
  part: number
  /** Timers run so many times faster than the clock on the wall. */
  speed: number
}

export type Note =
  | { op: 'call'; n: number; name: string }
  | { op: 'synced'; path: string; size: number }
  | { op: 'truncating'; path: string; cut: string }
  | { op: 'replacing'; path: string; copy: string | null }
  | { op: 'replaced'; path: string }
  | { op: 'checkpointed'; path: string; commit: string }

/** Counts the calls of all ports, and dies at the chosen one. */
export class Doom {
  readonly plan: Plan
  #calls = 0

  constructor(plan: Plan) {
    this.plan = plan
  }

  /** Synchronously and outside the state directory: what is noted is known, whatever happens next. */
  note(note: Note): void {
    appendFileSync(this.plan.notes, `${JSON.stringify(note)}\n`)
  }

  /** One call of a port. `half` does a part of the deed, the way it could be cut off. */
  async around<T>(
    name: string,
    deed: () => Promise<T> | T,
    half: () => Promise<unknown> | unknown = () => {},
  ): Promise<T> {
    const isLast = ++this.#calls === this.plan.killAt
    if (!isLast) return deed()
    this.note({ op: 'call', n: this.#calls, name: `${name} ${this.plan.phase}` })
    if (this.plan.phase === 'middle') await half()
    if (this.plan.phase === 'after') await deed()
    return die()
  }
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
}

export function doomedDriver(driver: Driver, doom: Doom): Driver {
  return {
    look: place => doom.around('look', () => driver.look(place)),
    openElsewhere: place => doom.around('openElsewhere', () => driver.openElsewhere(place)),
    abandon: place => doom.around('abandon', () => driver.abandon(place)),
    configDirectory: environment => driver.configDirectory(environment),
    canResume: (session, env) => doom.around('canResume', () => driver.canResume(session, env)),
    notedUsd: (session, env) => doom.around('notedUsd', () => driver.notedUsd(session, env)),
    clientProgram: (name, env) => doom.around('clientProgram', () => driver.clientProgram(name, env)),
    start: start => doom.around('start', () => driver.start(start)),
    end: (place, graceMs) => doom.around('end', () => driver.end(place, graceMs)),
    ...(driver.paneOf && { paneOf: place => doom.around('paneOf', () => driver.paneOf!(place)) }),
    ...(driver.closePane && { closePane: place => doom.around('closePane', () => driver.closePane!(place)) }),
    ...(driver.type && { type: (place, text) => doom.around('type', () => driver.type!(place, text)) }),
    follow: (place, follow) =>
      doom.around('follow', () =>
        driver.follow(place, {
          ...follow,
          onStarted: pid => void doom.around('onStarted', () => follow.onStarted(pid)),
          onLine: (line, offset) => doom.around('onLine', () => follow.onLine(line, offset)),
        }),
      ),
  }
}

/** The wall's time, and timers that are in a hurry. */
export function doomedClock(clock: Clock, doom: Doom): Clock {
  return {
    now: () => clock.now(),
    at(ms, fire) {
      const now = clock.now()
      return clock.at(now + (ms - now) / doom.plan.speed, () => void doom.around('timer', fire))
    },
  }
}
