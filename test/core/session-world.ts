import type { RunEvent, SessionReport, SessionSpec } from '../../src/contract/event.ts'
import type { Effect, KeyedEffect } from '../../src/core/effect.ts'
import type { RunRecord } from '../../src/core/run/advance.ts'
import type { SessionRun } from '../../src/core/session/session-state.ts'
import { environment, type Post, postEvent, RUN, runCreated, text } from './run-world.ts'

export type SessionRecord = RunRecord<SessionRun>

/** The outside of a session run as tests play it: what may happen next, and one event after the other. */

export function created(change: Partial<SessionSpec> = {}): RunEvent {
  return runCreated({ kind: 'session' }, change)
}

export const post: Post<SessionRun> = postEvent

type Happened = RunEvent | ((record: SessionRecord) => RunEvent)
export const play = (...events: Happened[]) => playAs({}, ...events)

export function playAs(
  change: Partial<SessionSpec>,
  ...events: Happened[]
): { record: SessionRecord; effects: KeyedEffect[] } {
  let last = post(null, created(change))
  for (const event of events) last = post(last.record, typeof event === 'function' ? event(last.record) : event)
  return last
}

/** The keys of effects of one kind that wait for their outcome. */
export function pending<D extends Effect['do']>(record: SessionRecord, deed: D): string[] {
  return Object.entries(record.pending).flatMap(([key, effect]) => (effect.do === deed ? [key] : []))
}

const running = (record: SessionRecord) => ({ effect: record.state.turn.effect, turn: record.state.turn.n })

export const started = (record: SessionRecord): RunEvent => ({
  type: 'session-started',
  ...running(record),
  pid: 4711,
  without: [],
})

type Told<R> = R extends SessionReport ? Omit<R, 'offset'> : never
export const reported =
  (report: Told<SessionReport>) =>
  (record: SessionRecord): RunEvent => ({
    type: 'session-reported',
    ...running(record),
    report: { ...report, offset: record.state.turn.reportedTo + 10 } as SessionReport,
  })
export const init = reported({ kind: 'init', model: 'opus' })
export const background = (count: number) => reported({ kind: 'background', running: count })

type Why = Extract<SessionReport, { kind: 'result' }>['why']
export const result = (why: Why, costUsd = 0.5) =>
  reported({ kind: 'result', isError: why !== 'ok' && why !== 'max-cost', why, costUsd, turns: 1 })

export const stuck = (record: SessionRecord): RunEvent => ({ type: 'session-stuck', ...running(record) })

export const ended =
  (code: number | null) =>
  (record: SessionRecord): RunEvent => ({
    type: 'session-ended',
    ...running(record),
    exit: code === null ? { how: 'vanished' } : { how: 'exited', code },
    outputBytes: record.state.turn.reportedTo,
  })

type NotStarted = Extract<RunEvent, { type: 'session-not-started' }>['cause']
export const notStarted =
  (cause: NotStarted) =>
  (record: SessionRecord): RunEvent => ({
    type: 'session-not-started',
    effect: record.state.turn.effect,
    cause,
    names: cause === 'needs-environment' ? ['ANTHROPIC_API_KEY'] : [],
  })

export const fired =
  (timer: 'max-time' | 'background' | 'crash-wait') =>
  (record: SessionRecord): RunEvent => {
    const armed = Object.entries(record.pending).find(
      ([, effect]) => effect.do === 'set-timer' && effect.name === timer,
    )
    return { type: 'timer-fired', timer, effect: armed?.[0] ?? `${RUN}:0:0` }
  }

export const delivered = (record: SessionRecord): RunEvent => ({
  type: 'session-end-delivered',
  effect: pending(record, 'end-session')[0] ?? `${RUN}:0:0`,
  left: null,
})

export const typed = (record: SessionRecord): RunEvent => ({
  type: 'text-typed',
  effect: pending(record, 'type-text')[0] ?? `${RUN}:0:0`,
})

export const cancel: RunEvent = { type: 'cancel-requested' }
export const pause: RunEvent = { type: 'pause-requested' }
export const told = (n = 7): RunEvent => ({ type: 'told', text: text(n) })
export const asked: RunEvent = { type: 'question-asked', text: text(9) }
export const takeOver: RunEvent = { type: 'resume-requested', text: null, environment, into: 'pane' }
export const resume = (n: number | null = null): RunEvent => ({
  type: 'resume-requested',
  text: n === null ? null : text(n),
  environment,
})
export const repaired: RunEvent = { type: 'journal-repaired', reason: 'torn', aside: 'x', bytes: 3 }
