import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realDisk } from '../../src/adapters/disk.ts'
import type { RunEvent, Stamped } from '../../src/contract/event.ts'
import type { KeyedEffect } from '../../src/core/effect.ts'
import type { Run } from '../../src/daemon/runtime/live-run.ts'
import { Runs } from '../../src/daemon/runtime/runs.ts'
import type { AppendFile, Clock, Disk } from '../../src/ports.ts'
import { CREATED } from '../journal/written.ts'

export const RUN = 'k3v9x0ab'
export const KEY = `${RUN}:1:0`
export { CREATED }

/** A clock that stands still until it is moved. */
export function standingClock(at = 1_760_000_000_000) {
  let now = at
  let timers: { ms: number; fire: () => void }[] = []
  const clock: Clock = {
    now: () => now,
    at(ms, fire) {
      const timer = { ms, fire }
      timers.push(timer)
      return () => {
        timers = timers.filter(other => other !== timer)
      }
    },
  }
  const moveTo = (ms: number) => {
    now = ms
    const due = timers.filter(timer => timer.ms <= ms)
    timers = timers.filter(timer => timer.ms > ms)
    for (const { fire } of due) fire()
  }
  return { clock, moveTo, timers: () => timers.map(({ ms }) => ms) }
}

/** The real disk, with a way to make appends fail, and a list of what was written in which order. */
export function faultyDisk(story: string[] = []) {
  const fault = { append: false, replace: false }
  const disk: Disk = {
    ...realDisk,
    async replace(path, content) {
      if (fault.replace) throw new Error('ENOSPC')
      await realDisk.replace(path, content)
      story.push(`replaced ${path.split('/').at(-1)}`)
    },
    async openAppend(path): Promise<AppendFile> {
      const file = await realDisk.openAppend(path)
      return {
        get size() {
          return file.size
        },
        async append(content) {
          if (fault.append) throw new Error('ENOSPC: no space left on device')
          await file.append(content)
          story.push(
            `written ${content
              .match(/"type":"([^"]+)"/g)
              ?.map(found => found.slice(8, -1))
              .join(' ')}`,
          )
        },
        truncate: size => file.truncate(size),
        close: () => file.close(),
      }
    },
  }
  return { disk, fault }
}

/** The runs of a state directory of its own, with everything that was asked of them in the order in which it happened. */
export function makeRuns(options: { snapshotEvery?: number; folder?: string } = {}) {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'rehoboam-runtime-'))
  const story: string[] = []
  const log: string[] = []
  const { disk, fault } = faultyDisk(story)
  const time = standingClock()
  const runs = new Runs(
    { runs: folder, disk, clock: time.clock, snapshotEvery: options.snapshotEvery ?? 1000 },
    line => void log.push(line),
  )
  const performed: KeyedEffect[] = []
  const perform = async (_: Run, keyed: KeyedEffect) => {
    performed.push(keyed)
    story.push(`performed ${keyed.effect.do}`)
  }
  const journal = () => join(folder, RUN, 'journal.ndjson')
  return {
    folder,
    runs,
    story,
    log,
    fault,
    performed,
    perform,
    ...time,
    journal,
    events: (): Stamped[] => lines(readFileSync(journal(), 'utf8')),
    damage: (text: string) => appendFileSync(journal(), text),
    /** The same directory with nothing in memory: what a restart finds. */
    again: () => makeRuns({ ...options, folder }),
    async [Symbol.asyncDispose]() {
      await runs.close().catch(() => {})
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const told = (n: number): RunEvent => ({ type: 'told', text: n.toString(16).padStart(64, '0') })
export const ended = (code = 0): RunEvent => ({
  type: 'session-ended',
  effect: KEY,
  turn: 1,
  exit: { how: 'exited', code },
  outputBytes: 0,
})

function lines(text: string): Stamped[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
}
