import fc from 'fast-check'
import type { RunEvent, RunEventOf, SessionReport, SessionSpec } from '../../src/contract/event.ts'
import type { IterationFacts, Judgement, LoopSpec, WardOutcome } from '../../src/contract/loop.ts'
import type { PoolSpec } from '../../src/contract/pool.ts'
import type { NewStep, QuestSpec } from '../../src/contract/quest.ts'

// Any event that may stand in a journal, with the strings that make a line hard to read back.

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\n', '\r\n', '\u2028', '\ud800', '"crc":"00000000"}', '\u0000', '\ufeff', '\ufffd', ',"crc":"'),
)
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length })
const nat = fc.nat({ max: 2 ** 40 })
const root = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 8,
  maxLength: 8,
})
const run = fc.oneof(
  root,
  root.map(id => `${id}.TASK-001`),
)
const effect = fc.tuple(run, nat, fc.nat({ max: 9999 })).map(parts => parts.join(':'))
const turn = fc.integer({ min: 1, max: 1000 })
const task = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,20}$/)
const names = fc.array(text, { maxLength: 4 })
const nullable = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const costUsd = fc.double({ min: 0, max: 1e6, noNaN: true }).map(cost => cost + 0)
// A variable of this name is dropped where a caller's environment comes in, as in everything that zod reads.
const variable = text.filter(name => name !== '__proto__')
const environment = fc.record({
  kept: fc.dictionary(variable, text, { maxKeys: 4 }),
  credentials: names,
  others: names,
})

const spec: fc.Arbitrary<SessionSpec> = fc.record({
  session: fc.uuid(),
  project: text.map(name => `/${name}`),
  driver: fc.constant('headless' as const),
  client: text.map(name => `c${name}`),
  model: nullable(text),
  permissionMode: nullable(text),
  allowedTools: names,
  arguments: names,
  directories: names,
  maxCostUsd: nullable(costUsd.map(cost => cost + 0.01)),
  maxTimeMs: nullable(fc.integer({ min: 1 })),
  backgroundGraceMs: nat,
  endGraceMs: nat,
  crashRetries: nat,
  stuckAfterMs: turn,
  lineLimitBytes: fc.integer({ min: 1 }),
  endsWithTurn: fc.boolean(),
  noQuestions: fc.boolean(),
})

const report: fc.Arbitrary<SessionReport> = fc.oneof(
  fc.record({ kind: fc.constant('init' as const), offset: nat, model: nullable(text) }),
  fc.record({ kind: fc.constantFrom('background', 'stopped'), offset: nat, running: nat }),
  fc.record({ kind: fc.constant('limit' as const), offset: nat, resetsAtMs: nat }),
  fc.record({ kind: fc.constantFrom('working', 'taken-over'), offset: nat }),
  fc.record({
    kind: fc.constant('result' as const),
    offset: nat,
    isError: fc.boolean(),
    why: fc.constantFrom('ok', 'limit', 'overloaded', 'outage', 'auth', 'api-error', 'max-cost', 'client-error'),
    costUsd,
    turns: nat,
  }),
)

const notes = fc.array(hex(64), { maxLength: 3 })
const verdict = fc.constantFrom('continue', 'complete', 'stalled', 'blocked')

const loop: fc.Arbitrary<LoopSpec> = fc.record({
  directory: text.map(name => `/${name}`),
  role: fc.constantFrom('auto', 'planner', 'worker'),
  maxIterations: turn,
  stopWord: text.map(word => `w${word}`),
  stallAfter: turn,
  judge: fc.constantFrom('heuristic', 'model', 'off'),
  judgePrompt: nullable(hex(64)),
  instructions: nullable(hex(64)),
  ward: nullable(hex(64)),
  wardTimeMs: turn,
  acceptRedBase: fc.boolean(),
  criteria: nat,
  task: nullable(fc.record({ id: task, text: hex(64) })),
  lessons: nullable(hex(64)),
  disposable: nullable(fc.record({ repository: text, path: text, commit: hex(40) })),
  setup: nullable(hex(64)),
  worktree: nullable(
    fc.record({
      project: text.map(name => `/${name}`),
      branch: fc.record({ run: hex(8), task: nullable(hex(6)) }),
      base: nullable(hex(40)),
    }),
  ),
})

const facts: fc.Arbitrary<IterationFacts> = fc.record({
  lastMessage: nullable(hex(64)),
  end: nullable(hex(16)),
  checkpoint: nullable(fc.record({ commit: hex(40), tree: hex(40) })),
  ledger: nullable(hex(16)),
  claim: nullable(fc.constantFrom('stop-word', 'promise')),
  verdict,
  because: nullable(hex(64)),
  anchorChanged: fc.boolean(),
  toolCalls: nat,
  costUsd,
  errors: fc.array(fc.record({ key: hex(16), count: turn, text: hex(64) }), { maxLength: 3 }),
  notes,
})

const outcome: fc.Arbitrary<WardOutcome> = fc.record({
  result: fc.constantFrom('green', 'red', 'could-not-run'),
  failing: fc.array(hex(16), { maxLength: 3 }),
  tampered: fc.boolean(),
  tampering: fc.subarray(['definition', 'deleted', 'skipped']),
  named: nullable(hex(64)),
  changes: nullable(hex(64)),
  report: nullable(hex(64)),
  ms: nat,
  cached: fc.boolean(),
})

const judgement: fc.Arbitrary<Judgement> = fc.record({
  verdict,
  criteria: fc.array(fc.constantFrom('PASS', 'FAIL', 'UNKNOWN'), { maxLength: 3 }),
  report: nullable(hex(64)),
  costUsd,
  failed: fc.boolean(),
})

const exit = fc.oneof(
  fc.record({ how: fc.constant('exited' as const), code: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ how: fc.constant('vanished' as const) }),
)

const pool: fc.Arbitrary<PoolSpec> = fc.record({
  autoSpawn: fc.boolean(),
  maxWorkers: turn,
  workerIterations: turn,
  stopWord: text.map(word => `w${word}`),
  workerInstructions: nullable(hex(64)),
})
const status = fc.constantFrom('active', 'paused', 'blocked', 'complete', 'failed')
const cause = fc.constantFrom('stop-word', 'crashed', 'client-missing')
const added = fc.array(fc.record({ id: task, text: hex(64), files: fc.array(hex(8), { maxLength: 2 }) }), {
  maxLength: 3,
})

const role = fc.constantFrom('pathseeker', 'codeweaver')
const signal = fc.constantFrom('complete', 'partially-complete', 'needs-user-input', 'needs-role-followup')
const step: fc.Arbitrary<NewStep> = fc.record({
  id: task,
  text: hex(64),
  files: fc.array(hex(8), { maxLength: 2 }),
  dependsOn: fc.array(task, { maxLength: 2 }),
  requirements: fc.array(task, { maxLength: 2 }),
})
const quest: fc.Arbitrary<QuestSpec> = fc.record({
  slots: fc.integer({ min: 1, max: 100 }),
  approvePlan: fc.boolean(),
  roles: fc.array(
    fc.record({
      name: role,
      prompt: hex(64),
      model: nullable(text),
      effort: nullable(hex(6)),
      tools: names,
      driver: nullable(fc.constantFrom('headless', 'pane')),
      maySignal: fc.array(signal, { maxLength: 4 }),
      changes: fc.constantFrom('nothing', 'tests', 'everything'),
    }),
    { maxLength: 2 },
  ),
  testFiles: names,
})

const created = { run, request: fc.uuid(), spec, prompt: hex(64), environment }

type Untyped<E> = E extends RunEvent ? Omit<E, 'type'> : never
type Fields = { [T in RunEvent['type']]: fc.Arbitrary<Untyped<RunEventOf<T>>> }

/** By type, so that the compiler asks for every new one. */
const fields: Fields = {
  'run-created': fc.oneof(
    fc.record({ ...created, kind: fc.constant('session' as const) }),
    fc.record({
      ...created,
      kind: fc.constant('session' as const),
      part: fc.record({ role, step: task, before: nat }),
    }),
    fc.record({ ...created, kind: fc.constant('loop' as const), loop }),
    fc.record({ ...created, kind: fc.constant('pool' as const), loop, pool }),
    fc.record({ ...created, kind: fc.constant('quest' as const), loop, quest }),
  ),
  'question-asked': fc.record({ text: hex(64) }),
  'session-started': fc.record({ effect, turn, pid: nat, without: names }),
  'session-reported': fc.record({ effect, turn, report }),
  'project-not-found': fc.record({ effect }),
  'tree-not-kept': fc.record({ effect }),
  'session-stuck': fc.record({ effect, turn }),
  'session-ended': fc.record({ effect, turn, exit, outputBytes: nat }),
  'session-not-started': fc.record({
    effect,
    cause: fc.constantFrom('needs-environment', 'project-missing', 'client-missing', 'session-busy'),
    names,
  }),
  'session-end-delivered': fc.record({ effect, left: nullable(hex(64)) }),
  'text-typed': fc.record({ effect }),
  'timer-fired': fc.record({
    effect,
    timer: fc.constantFrom('max-time', 'background', 'crash-wait', 'quiet', 'limit-wait'),
  }),
  'loop-opened': fc.record({
    effect,
    base: nullable(fc.record({ commit: hex(40), tree: hex(40) })),
    ledger: nullable(hex(16)),
    notes,
  }),
  'loop-not-opened': fc.record({ effect, cause: fc.constantFrom('project-missing', 'git-busy') }),
  'iteration-prepared': fc.record({ effect, iteration: turn, session: fc.uuid(), prompt: hex(64), notes }),
  'iteration-closed': fc.record({ effect, iteration: turn, facts }),
  warded: fc.record(
    { effect, iteration: nat, step: task, outcome },
    { requiredKeys: ['effect', 'iteration', 'outcome'] },
  ),
  judged: fc.record({ effect, iteration: turn, judgement }),
  answered: fc.record({ text: hex(64) }),
  'reject-requested': fc.constant({}),
  'verdict-marked': fc.record({ iteration: turn, why: hex(64) }),
  'cancel-requested': fc.constant({}),
  'pause-requested': fc.constant({}),
  'resume-requested': fc.record(
    { text: nullable(hex(64)), environment, into: fc.constant('pane' as const), noQuestions: fc.boolean() },
    { requiredKeys: ['text', 'environment'] },
  ),
  'clock-stopped': fc.constant({}),
  'clock-started': fc.constant({}),
  told: fc.record({ text: hex(64) }),
  noted: fc.record({ notes }),
  'branch-opened': fc.record({ effect, base: fc.record({ commit: hex(40), tree: hex(40) }), notes }),
  'branch-not-opened': fc.record({ effect, cause: fc.constantFrom('project-missing', 'git-busy') }),
  'child-started': fc.record({ effect, child: task, session: nullable(fc.uuid()) }),
  'child-changed': fc.record({ effect, child: task, status, cause: nullable(cause), iteration: nat, costUsd }),
  'child-not-started': fc.record({ effect, child: task, cause, why: hex(64) }),
  'child-ended': fc.record({
    effect,
    child: task,
    outcome: fc.record({
      status,
      cause: nullable(cause),
      iteration: nat,
      costUsd,
      commit: nullable(hex(40)),
      limitResetsAt: nullable(nat),
      heard: fc.array(turn, { maxLength: 3 }),
      notes,
    }),
  }),
  'children-told': fc.record({ effect }),
  'tasks-read': fc.record({ effect, added, notes }),
  'tasks-added': fc.record({ added }),
  'task-claimed': fc.record({ task, by: task }),
  'task-released': fc.record({ task }),
  'task-done': fc.record({ task, by: task }),
  'task-merged': fc.record({
    effect,
    task,
    outcome: fc.record({
      result: fc.constantFrom('merged', 'nothing', 'red', 'conflict', 'could-not-run'),
      tip: hex(40),
      tree: nullable(hex(40)),
      ward: nullable(outcome),
      report: nullable(hex(64)),
    }),
  }),
  signalled: fc.record({ n: turn, signal, text: hex(64), target: nullable(role), resume: fc.boolean() }),
  'session-signalled': fc.constant({}),
  'requirements-set': fc.record({ n: turn, text: hex(64), ids: fc.array(task, { maxLength: 3 }) }),
  'steps-set': fc.record({
    n: nullable(turn),
    steps: fc.array(step, { maxLength: 3 }),
    drop: fc.array(task, { maxLength: 2 }),
  }),
  'step-retried': fc.record({ step: task }),
  'step-skipped': fc.record({ step: task }),
  'journal-repaired': fc.record({ reason: text, aside: text, bytes: nat }),
}

export const anyEvent: fc.Arbitrary<RunEvent> = fc.oneof(
  ...Object.entries(fields).map(([type, of]) =>
    (of as fc.Arbitrary<object>).map(rest => ({ type, ...rest }) as RunEvent),
  ),
)
