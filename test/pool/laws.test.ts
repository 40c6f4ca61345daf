import { expect, test } from 'vitest'
import type { RunEvent, Stamped } from '../../src/contract/event.ts'
import { ENDED, RunDetail, RunSummary } from '../../src/contract/run.ts'
import type { Effect, EffectOf } from '../../src/core/effect.ts'
import { liveOf } from '../../src/core/parent/state.ts'
import { shareFiles } from '../../src/core/pool/files-named.ts'
import { advance, isStale } from '../../src/core/run/advance.ts'
import { runDetail, runSummary } from '../../src/core/run/run-view.ts'
import { BASE, commitOf, environment, stamp, text, wardOf } from '../core/run-world.ts'
import fc from '../support/laws.ts'
import { created, type PoolChange, type PoolRecord, post, task } from './pool-world.ts'

type Taken = { before: PoolRecord; event: Stamped; after: PoolRecord }

const TASKS = [
  task('A', 'files: x.ts'),
  task('B', 'files: x.ts'),
  task('C', 'files: y/z.ts'),
  task('D'),
  task('E', 'files: y'),
]
const FromState = RunDetail.omit({
  prompt: true,
  result: true,
  notes: true,
  directory: true,
  diskBytes: true,
  seq: true,
})

const NOTHING = { limitResetsAt: null, heard: [], notes: [] }

const specs = fc.record<PoolChange>({
  autoSpawn: fc.constantFrom(true, true, true, false),
  maxWorkers: fc.integer({ min: 1, max: 3 }),
  judge: fc.constantFrom('heuristic', 'model'),
  ward: fc.constantFrom(null, text(77)),
  maxCostUsd: fc.constantFrom(null, 4),
  maxTimeMs: fc.constantFrom(null, 60_000),
  noQuestions: fc.boolean(),
})

const lives = (maxLength: number) =>
  fc.tuple(specs, fc.array(fc.nat(), { maxLength, size: 'max' })).map(([spec, chances]) => live(spec, chances))

test('an ended pool stays ended, whatever happens, until it is resumed [pool-ended-stays]', () => {
  holds(life => {
    for (const { before, event, after } of life) {
      if (!ENDED.has(before.state.status) || event.type === 'resume-requested') continue
      const end = ({ state }: PoolRecord) => [state.status, state.cause, state.endedAt, state.proven]
      expect(end(after)).toEqual(end(before))
    }
  })
})

test('replay of a pool equals its life, from the first event and from any snapshot [pool-replay]', () => {
  fc.assert(
    fc.property(specs, fc.array(fc.nat(), { maxLength: 120, size: 'max' }), fc.nat(), (spec, chances, cut) => {
      const life = live(spec, chances)
      const events = [stamp(null, created(spec)), ...life.map(({ event }) => event)]
      const lived = life.at(-1)?.after ?? post(null, created(spec)).record
      const half = 1 + (cut % events.length)
      const snapshot = JSON.parse(JSON.stringify(replay(null, events.slice(0, half))))
      expect(replay(snapshot, events.slice(half))).toEqual(lived)
    }),
    { numRuns: 100 },
  )
})

test('never more workers than wanted, no two for a task or with the same files, and one merge at a time [pool-workers]', () => {
  holds(life => {
    for (const { after } of life) {
      const deeds = Object.values(after.pending)
      const children = deeds.filter((deed): deed is EffectOf<'run-child'> => deed.do === 'run-child')
      expect(new Set(children.map(({ child }) => child)).size).toBe(children.length)
      expect(children.length).toBeLessThanOrEqual(Math.max(1, after.state.pool.maxWorkers))
      expect(deeds.filter(deed => deed.do === 'merge-task').length).toBeLessThanOrEqual(1)
      const files = children.flatMap(({ child }) => after.state.tasks.filter(({ id }) => id === child))
      for (const one of files)
        for (const other of files) expect(one !== other && shareFiles(one.files, other.files)).toBe(false)
    }
  })
})

test('what a pool says of its children is what was asked for: none is lost, none is forgotten [pool-no-lost-child]', () => {
  holds(life => {
    for (const { event, after } of life) {
      const asked = Object.values(after.pending).flatMap(effect => (effect.do === 'run-child' ? [effect.child] : []))
      const { merging } = after.state
      const live = liveOf(after.state).map(({ name }) => name)
      expect(asked.sort(), event.type).toEqual(live.sort())
      const merge = Object.values(after.pending).flatMap(effect => (effect.do === 'merge-task' ? [effect.task] : []))
      expect(merge, event.type).toEqual(merging === null ? [] : [merging])
    }
  })
})

test('a task is merged once, and never done again after that [pool-merged-once]', () => {
  holds(life => {
    const merged = new Set<string>()
    for (const { event, after } of life) {
      for (const id of merged) expect(after.state.tasks.find(task => task.id === id)?.state).toBe('merged')
      if (event.type === 'task-merged' && event.outcome.result === 'merged') merged.add(event.task)
    }
  })
})

test('an active pool has always something to wait for, and works only while it is active [pool-never-hangs]', () => {
  holds(life => {
    for (const { event, after } of life) {
      const { status, phase, wish } = after.state
      const deeds = Object.values(after.pending).filter(({ do: deed }) => deed !== 'set-timer')
      if (status === 'active') expect(deeds.length, `${event.type}, ${phase}, ${wish}`).toBeGreaterThan(0)
      if (ENDED.has(status)) expect(deeds.filter(({ do: deed }) => deed !== 'tell-children')).toEqual([])
    }
  })
})

test('the time of a pool runs while it is active, stands still while somebody is asked, and is never more than it was given [pool-clock-stops]', () => {
  holds(life => {
    for (const { event, after } of life) {
      const { status, spec, timeLimit, wish } = after.state
      const isArmed = Object.values(after.pending).some(
        effect => effect.do === 'set-timer' && effect.name === 'max-time',
      )
      if (status !== 'active' || spec.maxTimeMs === null) expect(isArmed, event.type).toBe(false)
      // Its time may be what ends it.
      else if (wish === null) expect(isArmed, event.type).toBe(timeLimit !== null && 'endsAtMs' in timeLimit)
      if (timeLimit && 'leftMs' in timeLimit) expect(timeLimit.leftMs).toBeLessThanOrEqual(spec.maxTimeMs!)
    }
  })
})

test('every state of a pool survives JSON, and is what faces are shown [pool-state-json]', () => {
  holds(life => {
    for (const { after } of life.slice(-5)) {
      expect(JSON.parse(JSON.stringify(after))).toEqual(after)
      expect(RunSummary.safeParse(runSummary(after.state, iso)).error).toBeUndefined()
      expect(FromState.safeParse(runDetail(after.state, iso)).error).toBeUndefined()
    }
  })
})

function holds(law: (life: Taken[]) => void): void {
  fc.assert(fc.property(lives(100), law), { numRuns: 100 })
}

function live(spec: PoolChange, chances: number[]): Taken[] {
  let { record } = post(null, created(spec))
  return chances.map(chance => {
    const before = record
    const possible = movesIn(record).filter(event => !isStale(before, event))
    const event = stamp(before, possible[chance % possible.length]!)
    record = advance<PoolRecord['state']>(before, event).record
    return { before, event, after: record }
  })
}

/** Everything that can happen now: outcomes of what was asked for, and what people do. */
function movesIn({ pending, state, seq }: PoolRecord): RunEvent[] {
  const outcomes = Object.entries(pending).flatMap(([key, effect]) => outcomesOf(key, effect, seq))
  const claimable = state.tasks.find(task => task.state === 'pending')
  const held = state.tasks.find(task => task.state === 'claimed')
  const stuck = state.tasks.find(task => task.state === 'stuck')
  return [
    // Three times, because else a life of chance hardly comes to a second worker.
    ...outcomes,
    ...outcomes,
    ...outcomes,
    { type: 'cancel-requested' },
    { type: 'pause-requested' },
    { type: 'reject-requested' },
    { type: 'told', text: text(7) },
    { type: 'clock-stopped' },
    { type: 'clock-started' },
    { type: 'answered', text: text(8) },
    { type: 'resume-requested', text: null, environment },
    { type: 'resume-requested', text: text(9), environment, workers: 1 },
    { type: 'tasks-added', added: [task(`N${seq}`)] },
    ...(claimable ? [{ type: 'task-claimed' as const, task: claimable.id, by: 'person' }] : []),
    ...(held ? [{ type: 'task-released' as const, task: held.id }] : []),
    ...(held ? [{ type: 'task-done' as const, task: held.id, by: 'person' }] : []),
    ...(stuck ? [{ type: 'answered' as const, text: text(8), task: stuck.id, drop: seq % 2 === 0 }] : []),
  ]
}

function outcomesOf(effect: string, asked: Effect, seq: number): RunEvent[] {
  switch (asked.do) {
    case 'open-branch':
      return [
        { type: 'branch-opened', effect, base: { commit: BASE, tree: BASE }, notes: [] },
        { type: 'branch-not-opened', effect, cause: 'git-busy' },
      ]
    case 'run-ward':
      return [
        ...(['green', 'red', 'could-not-run'] as const).map(result => ({
          type: 'warded' as const,
          effect,
          iteration: asked.iteration,
          outcome: wardOf(result),
        })),
        { type: 'project-not-found', effect },
      ]
    case 'read-tasks':
      return [TASKS, [], TASKS.slice(0, 2)].map(added => ({ type: 'tasks-read', effect, added, notes: [] }))
    case 'tell-children':
      return [{ type: 'children-told', effect }]
    case 'run-child': {
      const { child } = asked
      const told = { iteration: 1, costUsd: 0.25, cause: null }
      const ends = (['complete', 'complete', 'complete', 'failed', 'cancelled', 'over-budget', 'stalled'] as const).map(
        status => ({
          type: 'child-ended' as const,
          effect,
          child,
          outcome: {
            status,
            ...told,
            cause: status === 'failed' ? ('crashed' as const) : null,
            commit: commitOf(seq),
            ...NOTHING,
          },
        }),
      )
      const changes = (['active', 'paused', 'blocked'] as const).map(status => ({
        type: 'child-changed' as const,
        effect,
        child,
        status,
        ...told,
        cause:
          status === 'blocked' ? ('waits-for-person' as const) : status === 'paused' ? ('question' as const) : null,
      }))
      const refused = {
        type: 'child-not-started' as const,
        effect,
        child,
        cause: 'client-missing' as const,
        why: text(6),
      }
      return [...ends, ...changes, refused]
    }
    case 'merge-task':
      return (['merged', 'merged', 'nothing', 'red', 'conflict', 'could-not-run'] as const).map(result => ({
        type: 'task-merged',
        effect,
        task: asked.task,
        outcome: { result, tip: commitOf(seq), tree: null, ward: wardOf('green'), report: text(5) },
      }))
    case 'ask-judge':
      return (['continue', 'complete', 'stalled', 'blocked'] as const).map(verdict => ({
        type: 'judged',
        effect,
        iteration: Math.max(1, asked.iteration),
        judgement: { verdict, criteria: [], report: text(4), costUsd: 0.1, failed: false },
      }))
    case 'set-timer':
      return [{ type: 'timer-fired', effect, timer: asked.name }]
    default:
      return []
  }
}

function replay(from: PoolRecord | null, events: Stamped[]): PoolRecord | null {
  return events.reduce<PoolRecord | null>((record, event) => advance<PoolRecord['state']>(record, event).record, from)
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
