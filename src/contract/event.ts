import * as z from 'zod'
import { EffectKey, RoleName, RunId, SessionId, StepId, TaskId, TextRef } from './ids.ts'
import { IterationFacts, Judgement, LoopSpec, WardOutcome } from './loop.ts'
import { ChildOutcome, MergeOutcome, NewTask, PoolSpec } from './pool.ts'
import { NewStep, QuestSpec } from './quest.ts'
import { SignalKind } from './quest-tools.ts'
import { Cause, RunStatus } from './status.ts'

/**
 * The deciding facts of a run, as they stand in its journal. No text from a person, an agent or a process is ever
 * in one: prompts, messages and output are files beside the journal, named here by hash or by byte offset.
 */

/** Everything a driver must know to start a session: data, never a closure, so that another machine could do it. */
export const SessionSpec = z.object({
  session: SessionId,
  project: z.string().min(1).max(4096),
  driver: z.enum(['headless', 'pane']),
  client: z.string().min(1).max(4096),
  model: z.string().max(200).nullable(),
  permissionMode: z.string().max(100).nullable(),
  allowedTools: z.array(z.string().max(1000)).max(200),
  arguments: z.array(z.string().max(100_000)).max(200),
  /** Besides its project, where it may read and write. */
  directories: z.array(z.string().max(4096)).max(20),
  maxCostUsd: z.number().positive().nullable(),
  maxTimeMs: z.number().int().positive().nullable(),
  backgroundGraceMs: z.number().int().nonnegative(),
  endGraceMs: z.number().int().nonnegative(),
  crashRetries: z.number().int().nonnegative(),
  stuckAfterMs: z.number().int().positive(),
  lineLimitBytes: z.number().int().positive(),
  /** A pane's session is ended when its turn has: an iteration. Else it goes on until its user closes it. */
  endsWithTurn: z.boolean(),
  /** A question ends the session and pauses the run: nobody is there to answer it. */
  noQuestions: z.boolean(),
  effort: z.string().max(50).optional(),
  /** The client's own tools that it has; without: all of them. */
  tools: z.array(z.string().max(200)).max(100).optional(),
  /** It has ours too, those of a session of a quest: without a signal it has been cut off, however well it ended. */
  questTools: z.literal(true).optional(),
})
export type SessionSpec = z.infer<typeof SessionSpec>

/** What a stream line means to a run. `offset` is the byte after the line in the turn's output file. */
export const SessionReport = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('init'), offset: z.number().int(), model: z.string().max(200).nullable() }),
  z.object({
    kind: z.literal('result'),
    offset: z.number().int(),
    isError: z.boolean(),
    why: z.enum(['ok', 'limit', 'overloaded', 'outage', 'auth', 'api-error', 'max-cost', 'unpriced', 'client-error']),
    costUsd: z.number(),
    turns: z.number().int(),
    /** The model had answered before it was gone: this is no longer the outage of the turn before. */
    answered: z.boolean().optional(),
    /** What the whole session has cost, where that is known: it may be more than its results have said. */
    totalUsd: z.number().optional(),
  }),
  z.object({ kind: z.literal('background'), offset: z.number().int(), running: z.number().int() }),
  /** The account is at a limit until then. */
  z.object({ kind: z.literal('limit'), offset: z.number().int(), resetsAtMs: z.number().int() }),
  /** In a pane, where there is no stream, from hooks: the turn has ended, or goes on, or a person typed. */
  z.object({ kind: z.literal('stopped'), offset: z.number().int(), running: z.number().int() }),
  z.object({ kind: z.literal('working'), offset: z.number().int() }),
  z.object({ kind: z.literal('taken-over'), offset: z.number().int() }),
])
export type SessionReport = z.infer<typeof SessionReport>

/** How a process ended: with a code that its wrapper wrote down, or leaving nothing behind. */
export const Exit = z.discriminatedUnion('how', [
  z.object({ how: z.literal('exited'), code: z.number().int() }),
  z.object({ how: z.literal('vanished') }),
])
export type Exit = z.infer<typeof Exit>

/** What of a caller's environment may be written down: some values, of the rest the names. */
export const KeptEnvironment = z.object({
  kept: z.record(z.string(), z.string()),
  credentials: z.array(z.string()),
  others: z.array(z.string()),
  /** Whose limits hold for it: address and credentials, sealed. */
  account: z.string().max(64).optional(),
})
export type KeptEnvironment = z.infer<typeof KeptEnvironment>

export const TimerName = z.enum(['max-time', 'background', 'crash-wait', 'quiet', 'limit-wait'])
export type TimerName = z.infer<typeof TimerName>

const effect = EffectKey
const turn = z.number().int().positive()
const iteration = z.number().int().positive()
const notes = z.array(TextRef).max(20)

const created = {
  type: z.literal('run-created'),
  run: RunId,
  request: z.uuid(),
  spec: SessionSpec,
  /** Of a loop and of a pool: the anchor. */
  prompt: TextRef,
  environment: KeptEnvironment,
}
const RunCreated = z.discriminatedUnion('kind', [
  z.object({
    ...created,
    kind: z.literal('session'),
    /** Of a session of a quest: what it is for, and how many turns of that role were there before. */
    part: z.object({ role: RoleName, step: StepId, before: z.number().int().nonnegative() }).optional(),
  }),
  z.object({ ...created, kind: z.literal('loop'), loop: LoopSpec }),
  z.object({ ...created, kind: z.literal('pool'), loop: LoopSpec, pool: PoolSpec }),
  z.object({ ...created, kind: z.literal('quest'), loop: LoopSpec, quest: QuestSpec }),
])
type RunCreated = z.infer<typeof RunCreated>

export const RunEvent = z.discriminatedUnion('type', [
  RunCreated,
  /** `without`: names that the run was started with and that a restart of the daemon has lost. */
  z.object({
    type: z.literal('session-started'),
    effect,
    turn,
    pid: z.number().int().nonnegative(),
    without: z.array(z.string()),
  }),
  z.object({ type: z.literal('session-reported'), effect, turn, report: SessionReport }),
  /** Nothing was heard from it for as long as that takes to be called stuck. */
  z.object({ type: z.literal('session-stuck'), effect, turn }),
  /** `totalUsd`: what the whole session has cost, as the client noted when it was ended before it could say so. */
  z.object({
    type: z.literal('session-ended'),
    effect,
    turn,
    exit: Exit,
    outputBytes: z.number().int(),
    totalUsd: z.number().optional(),
  }),
  z.object({
    type: z.literal('session-not-started'),
    effect,
    cause: z.enum(['needs-environment', 'project-missing', 'client-missing', 'session-busy']),
    names: z.array(z.string().max(200)).max(100),
  }),
  /** `left`: what it had left running, when that is why it was ended. */
  z.object({ type: z.literal('session-end-delivered'), effect, left: TextRef.nullable() }),
  z.object({ type: z.literal('text-typed'), effect }),
  z.object({ type: z.literal('timer-fired'), effect, timer: TimerName }),
  z.object({
    type: z.literal('loop-opened'),
    effect,
    base: z.object({ commit: z.string(), tree: z.string() }).nullable(),
    ledger: z.string().max(200).nullable(),
    notes,
  }),
  z.object({
    type: z.literal('loop-not-opened'),
    effect,
    cause: z.enum(['project-missing', 'git-busy']),
  }),
  z.object({
    type: z.literal('iteration-prepared'),
    effect,
    iteration,
    session: SessionId,
    prompt: TextRef,
    notes,
  }),
  /** The effect needs the project directory, and the directory is missing. */
  z.object({ type: z.literal('project-not-found'), effect }),
  /** The run is ending, and git could not make a checkpoint of what its last session left in the tree. */
  z.object({ type: z.literal('tree-not-kept'), effect }),
  z.object({ type: z.literal('iteration-closed'), effect, iteration, facts: IterationFacts }),
  /** `iteration`: of a loop; 0 is the base. `step`: of a quest, what the checks were run for. */
  z.object({
    type: z.literal('warded'),
    effect,
    iteration: z.number().int().nonnegative(),
    step: StepId.optional(),
    outcome: WardOutcome,
  }),
  z.object({ type: z.literal('judged'), effect, iteration, judgement: Judgement }),
  /** `task`: of a pool, the one that it is about; `drop`: it shall not be done. */
  z.object({
    type: z.literal('answered'),
    text: TextRef,
    task: TaskId.optional(),
    drop: z.boolean().optional(),
    /** Of a plan that waits for it: it is approved. */
    allow: z.boolean().optional(),
  }),
  /** The result branch of a pool or a quest. */
  z.object({
    type: z.literal('branch-opened'),
    effect,
    base: z.object({ commit: z.string(), tree: z.string() }),
    notes,
  }),
  z.object({ type: z.literal('branch-not-opened'), effect, cause: z.enum(['project-missing', 'git-busy']) }),
  /** `child`: `planner`, the task of a worker, or the session of a quest. `session`: the client's id of that session; null for a loop. */
  z.object({ type: z.literal('child-started'), effect, child: TaskId, session: SessionId.nullable() }),
  /** What it says of itself while it lives. `iteration`: of a loop; of a session its turn. */
  z.object({
    type: z.literal('child-changed'),
    effect,
    child: TaskId,
    status: RunStatus,
    cause: Cause.nullable(),
    iteration: z.number().int().nonnegative(),
    costUsd: z.number().nonnegative(),
  }),
  z.object({ type: z.literal('child-not-started'), effect, child: TaskId, cause: Cause, why: TextRef }),
  z.object({ type: z.literal('child-ended'), effect, child: TaskId, outcome: ChildOutcome }),
  z.object({ type: z.literal('children-told'), effect }),
  /** What tasks.md holds that was not known yet. */
  z.object({ type: z.literal('tasks-read'), effect, added: z.array(NewTask).max(1000), notes }),
  z.object({ type: z.literal('tasks-added'), added: z.array(NewTask).max(1000), notes: notes.optional() }),
  /** `by`: `person`, or a session. */
  z.object({ type: z.literal('task-claimed'), task: TaskId, by: z.string().max(100) }),
  z.object({ type: z.literal('task-released'), task: TaskId }),
  z.object({ type: z.literal('task-done'), task: TaskId, by: z.string().max(100) }),
  z.object({ type: z.literal('task-merged'), effect, task: TaskId, outcome: MergeOutcome }),
  /** `text`: all that was said with it, as JSON. */
  z.object({
    type: z.literal('signalled'),
    n: turn,
    signal: SignalKind,
    text: TextRef,
    target: RoleName.nullable(),
    resume: z.boolean(),
  }),
  /** Of the session itself: it has said what it had to say, and is ended soon. */
  z.object({ type: z.literal('session-signalled') }),
  z.object({ type: z.literal('requirements-set'), n: turn, text: TextRef, ids: z.array(StepId).max(200) }),
  /** `n`: the session that planned; null: a person did. */
  z.object({
    type: z.literal('steps-set'),
    n: turn.nullable(),
    steps: z.array(NewStep).max(10_000),
    drop: z.array(StepId).max(10_000),
  }),
  z.object({ type: z.literal('step-retried'), step: StepId }),
  z.object({ type: z.literal('step-skipped'), step: StepId }),
  z.object({ type: z.literal('reject-requested') }),
  z.object({ type: z.literal('verdict-marked'), iteration, why: TextRef }),
  z.object({ type: z.literal('cancel-requested') }),
  z.object({ type: z.literal('pause-requested') }),
  z.object({
    type: z.literal('resume-requested'),
    text: TextRef.nullable(),
    environment: KeptEnvironment,
    /** The effect of its parent that sends it on. The same effect again is a repetition. */
    by: EffectKey.optional(),
    /** What a planner sees from then on. */
    from: z.string().max(64).optional(),
    /** For a pool: so many more workers, without a planner first. */
    workers: z.number().int().positive().max(100).optional(),
    /** Of whoever asks for them: the same one again asks for nothing more. */
    request: z.uuid().optional(),
    /** Taken over: the session goes on in a pane, whatever it was in before. Also asked of a run that is active. */
    into: z.literal('pane').optional(),
    noQuestions: z.boolean().optional(),
    /** For a session of a quest: what it may cost from now on. */
    maxCostUsd: z.number().positive().nullable().optional(),
  }),
  /** Somebody is asked, and the run was started so that nobody is. */
  z.object({ type: z.literal('question-asked'), text: TextRef }),
  /** A question of the run is open, and its time limit stands still; or none is any more. */
  z.object({ type: z.literal('clock-stopped') }),
  z.object({ type: z.literal('clock-started') }),
  /** Something that a person shall read, and that changes nothing. */
  z.object({ type: z.literal('noted'), notes }),
  /** `of`: the number of the event with which a person said it to the parent, which passed it on. */
  z.object({ type: z.literal('told'), text: TextRef, of: z.number().int().positive().optional() }),
  z.object({
    type: z.literal('journal-repaired'),
    reason: z.string().max(300),
    aside: z.string().max(300),
    bytes: z.number().int(),
  }),
])
export type RunEvent = z.infer<typeof RunEvent>
export type RunEventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
export type RunCreatedOf<K extends RunCreated['kind']> = Extract<RunCreated, { kind: K }>

/** An event in its place: which one of the run it is, and when it was written down. */
export type Stamped<E extends RunEvent = RunEvent> = E & { seq: number; at: number }
