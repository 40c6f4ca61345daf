import type { RunEvent, SessionReport } from '../../src/contract/event.ts'
import type { IterationFacts, Judgement, WardOutcome } from '../../src/contract/loop.ts'
import type { Effect, EffectOf } from '../../src/core/effect.ts'
import { wishOf } from '../../src/core/loop/doing.ts'
import type { LoopRun } from '../../src/core/loop/loop-state.ts'
import type { Kind } from '../core/lives.ts'
import { environment, text } from '../core/run-world.ts'
import fc from '../support/laws.ts'
import { COMMIT, created, factsOf, type LoopChange, type LoopRecord, WARD } from './loop-world.ts'

/** Everything that can happen to a loop, by name; null where it cannot happen now: an outcome comes after its deed. */
export type LoopMove = { name: string; event: (record: LoopRecord) => RunEvent | null }

const WHYS = ['ok', 'limit', 'overloaded', 'outage', 'auth', 'api-error', 'max-cost', 'client-error'] as const
const REFUSALS = ['needs-environment', 'project-missing', 'client-missing', 'session-busy'] as const
const TIMERS = ['max-time', 'background', 'crash-wait', 'quiet', 'limit-wait'] as const
const NOT_OPENED = ['project-missing', 'git-busy'] as const

const FACTS: Record<string, Partial<IterationFacts>> = {
  moved: {},
  'nothing moved': { ledger: 'aaaaaaaaaaaaaaaa', end: 'eeeeeeee' },
  'stop word': { claim: 'stop-word' },
  promise: { claim: 'promise' },
  'judged complete': { verdict: 'complete' },
  'judged stalled': { verdict: 'stalled' },
  'judged blocked': { verdict: 'blocked' },
  'anchor changed': { anchorChanged: true },
  'an error': { errors: [{ key: '0123456789abcdef', count: 4, text: text(40) }] },
  'a cost': { costUsd: 0.25 },
}
const WARDS: Partial<WardOutcome>[] = [
  {},
  { result: 'red', failing: ['00000001'] },
  { result: 'could-not-run' },
  { tampered: true },
]
const JUDGES: Partial<Judgement>[] = [
  { verdict: 'continue' },
  { verdict: 'complete', criteria: ['PASS'] },
  { verdict: 'complete', criteria: ['FAIL'] },
  { verdict: 'stalled' },
  { verdict: 'blocked' },
  { failed: true },
]

export const loopSpecs = fc.record<LoopChange>({
  ward: fc.constantFrom(null, WARD),
  judge: fc.constantFrom('heuristic', 'model', 'off'),
  maxIterations: fc.integer({ min: 1, max: 6 }),
  maxCostUsd: fc.constantFrom(null, 2),
  maxTimeMs: fc.constantFrom(null, 100_000),
  noQuestions: fc.boolean(),
})

/** One session id for each time that an iteration is prepared, as in life. */
const sessionFor = (key: string) => `33333333-3333-4333-8333-${key.replace(/\D/g, '').padStart(12, '0').slice(-12)}`

export const loopMoves: LoopMove[] = [
  outcome('loop-opened', 'open-loop', effect => ({
    type: 'loop-opened',
    effect,
    base: { commit: COMMIT, tree: COMMIT },
    ledger: 'aaaaaaaaaaaaaaaa',
    notes: [],
  })),
  ...NOT_OPENED.map(cause =>
    outcome(`loop-not-opened ${cause}`, 'open-loop', effect => ({ type: 'loop-not-opened', effect, cause })),
  ),
  // Three times, because else a life of chance hardly comes to a second iteration.
  ...[1, 2, 3].map(n =>
    outcome(`iteration-prepared ${n}`, 'prepare-iteration', (effect, { iteration }) => ({
      type: 'iteration-prepared',
      effect,
      iteration,
      session: sessionFor(effect),
      prompt: text(iteration + 100),
      notes: [],
    })),
  ),
  ...(['prepare-iteration', 'close-iteration', 'run-ward'] as const).map(deed =>
    outcome(`project-not-found by ${deed}`, deed, effect => ({ type: 'project-not-found', effect })),
  ),
  {
    name: 'tree-not-kept',
    event: ({ state, pending }) => {
      const effect = Object.keys(pending).find(key => pending[key]!.do === 'close-iteration')
      const isToEnd = state.doing.is === 'keeping' || wishOf(state.doing) === 'cancel'
      return effect && isToEnd ? { type: 'tree-not-kept', effect } : null
    },
  },
  ...Object.entries(FACTS).map(([name, facts]) =>
    outcome(`iteration-closed ${name}`, 'close-iteration', (effect, { iteration }) => ({
      type: 'iteration-closed',
      effect,
      iteration,
      facts: factsOf(iteration, true, { facts }),
    })),
  ),
  ...WARDS.map((given, n) =>
    outcome(`warded ${n}`, 'run-ward', (effect, { iteration }) => ({
      type: 'warded',
      effect,
      iteration,
      outcome: {
        result: 'green',
        failing: [],
        tampered: false,
        tampering: [],
        named: null,
        changes: null,
        report: text(50),
        ms: 1,
        cached: false,
        ...given,
      },
    })),
  ),
  ...JUDGES.map((given, n) =>
    outcome(`judged ${n}`, 'ask-judge', (effect, { iteration }) => ({
      type: 'judged',
      effect,
      iteration,
      judgement: {
        verdict: 'continue',
        criteria: ['UNKNOWN'],
        report: text(60),
        costUsd: 0.1,
        failed: false,
        ...given,
      },
    })),
  ),
  ...[1, 2].map(n =>
    session(`session-started ${n}`, ['starting'], ({ effect, n: turn }) => ({
      type: 'session-started',
      effect,
      turn,
      pid: 4711,
      without: [],
    })),
  ),
  report('init', { kind: 'init', model: null }),
  // A pane's hooks tell of failures only.
  ...(['api-error', 'limit', 'outage'] as const).map(why =>
    report(`failed ${why}`, { kind: 'result', isError: true, why, costUsd: 0, turns: 0 }, 'pane'),
  ),
  ...WHYS.map(why =>
    report(`result ${why}`, {
      kind: 'result',
      isError: why !== 'ok' && why !== 'max-cost',
      why,
      costUsd: 0.5,
      turns: 1,
    }),
  ),
  report('background 1', { kind: 'background', running: 1 }),
  report('background 0', { kind: 'background', running: 0 }),
  report('limit', { kind: 'limit', resetsAtMs: 10_000_000 }),
  report('stopped', { kind: 'stopped', running: 0 }, 'pane'),
  report('stopped, with a task', { kind: 'stopped', running: 1 }, 'pane'),
  report('working', { kind: 'working' }, 'pane'),
  report('taken-over', { kind: 'taken-over' }, 'pane'),
  ...[0, 0, 0, 1, null].map((code, n) =>
    session(`session-ended ${code} ${n}`, ['starting', 'running'], ({ effect, n: turn, reportedTo }) => ({
      type: 'session-ended',
      effect,
      turn,
      exit: code === null ? { how: 'vanished' } : { how: 'exited', code },
      outputBytes: reportedTo,
    })),
  ),
  session('session-stuck', ['running'], ({ effect, n: turn }) => ({ type: 'session-stuck', effect, turn })),
  ...REFUSALS.map(cause =>
    session(`session-not-started ${cause}`, ['starting'], ({ effect }) => ({
      type: 'session-not-started',
      effect,
      cause,
      names: [],
    })),
  ),
  outcome('session-end-delivered', 'end-session', effect => ({ type: 'session-end-delivered', effect, left: null })),
  outcome('text-typed', 'type-text', effect => ({ type: 'text-typed', effect })),
  ...TIMERS.map(
    (timer): LoopMove => ({
      name: `timer-fired ${timer}`,
      event: ({ pending }) => {
        const armed = Object.entries(pending).find(([, effect]) => effect.do === 'set-timer' && effect.name === timer)
        return armed ? { type: 'timer-fired', timer, effect: armed[0] } : null
      },
    }),
  ),
  always({ type: 'told', text: text(7) }),
  always({ type: 'answered', text: text(8) }),
  always({ type: 'cancel-requested' }),
  always({ type: 'pause-requested' }),
  always({ type: 'clock-stopped' }),
  always({ type: 'clock-started' }),
  always({ type: 'reject-requested' }),
  always({ type: 'question-asked', text: text(9) }),
  always({ type: 'verdict-marked', iteration: 1, why: text(10) }),
  always({ type: 'resume-requested', text: null, environment }),
  always({ type: 'resume-requested', text: text(11), environment }),
  always({ type: 'journal-repaired', reason: 'a torn line', aside: 'journal.damaged-1-2', bytes: 1 }),
]

export const loopKind: Kind<LoopRun> = {
  kind: 'loop',
  starts: fc
    .tuple(loopSpecs, fc.constantFrom('headless' as const, 'pane' as const))
    .map(([change, driver]) => created(change, driver)),
  moves: record => loopMoves.flatMap(move => move.event(record) ?? []),
}

function outcome<D extends Effect['do']>(
  name: string,
  deed: D,
  event: (effect: string, asked: EffectOf<D>) => RunEvent,
): LoopMove {
  return {
    name,
    event: ({ pending }) => {
      const found = Object.entries(pending).find(([, effect]) => effect.do === deed)
      return found ? event(found[0], found[1] as EffectOf<D>) : null
    },
  }
}

type Turn = NonNullable<LoopRecord['state']['session']>['turn']

function session(
  name: string,
  has: Turn['state'][],
  event: (turn: Turn) => RunEvent,
  driver?: 'headless' | 'pane',
): LoopMove {
  return {
    name,
    event: ({ state, pending }) => {
      const turn = state.session?.turn
      if (driver && state.session?.spec.driver !== driver) return null
      return turn && has.includes(turn.state) && turn.effect in pending ? event(turn) : null
    },
  }
}

type Told<R> = R extends SessionReport ? Omit<R, 'offset'> : never

/** A headless session speaks through its stream, one in a pane through its hooks. */
function report(name: string, said: Told<SessionReport>, driver: 'headless' | 'pane' = 'headless'): LoopMove {
  const event = ({ effect, n: turn, reportedTo }: Turn): RunEvent => ({
    type: 'session-reported',
    effect,
    turn,
    report: { ...said, offset: reportedTo + 10 } as SessionReport,
  })
  return session(`session-reported ${name}`, ['running'], event, driver)
}

function always(event: RunEvent): LoopMove {
  return { name: event.type, event: () => event }
}
