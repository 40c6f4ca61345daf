import * as z from 'zod'
import { RunId, SessionId } from './ids.ts'
import { LoopView } from './loop.ts'
import { PoolView } from './pool.ts'
import { QuestDetail } from './quest.ts'
import { Question } from './question.ts'
import { Cause, RunStatus } from './status.ts'
import { UNPROVEN, type Unproven } from './worth.ts'

export { CAUSES } from './causes.ts'
export * from './status.ts'

const RunKind = z.enum(['session', 'loop', 'pool', 'quest'])
export type RunKind = z.infer<typeof RunKind>

/** One line of `runs --json`. Scripts rely on it: fields are added, never renamed. */
export const RunSummary = z.object({
  id: RunId,
  kind: RunKind,
  /** The pool whose child it is. */
  parent: RunId.nullable(),
  status: RunStatus,
  cause: Cause.nullable(),
  proven: z.boolean().nullable(),
  /** Why it is complete and not proven. */
  unproven: z
    .enum(Object.keys(UNPROVEN) as [Unproven, ...Unproven[]])
    .nullable()
    .optional(),
  project: z.string(),
  iteration: z.number().nullable(),
  maxIterations: z.number().nullable(),
  steps: z.object({ total: z.number(), complete: z.number(), running: z.number(), blocked: z.number() }).nullable(),
  costUsd: z.number(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** How many questions of it, and of its children, are open. Counted for lists and pages; those who watch have the inbox. */
  asks: z.number().optional(),
  /** A loop that waits for a limit, or for a model that is not there, goes on by itself then. */
  waitsUntil: z.iso.datetime().nullable(),
})
export type RunSummary = z.infer<typeof RunSummary>

/** Where a run stands, and its newest event: what those who follow it ask. */
export type RunStanding = Pick<RunSummary, 'status'> & { seq: number }

/** One process start of a session, below a run in `show --json`. */
const TurnView = z.object({
  turn: z.number(),
  session: SessionId,
  state: z.enum(['starting', 'running', 'ending', 'ended']),
  pid: z.number().nullable(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  exit: z.string().nullable(),
  costUsd: z.number(),
})

/** `show ID --json`: the line of `runs --json` with everything below it. */
export const RunDetail = RunSummary.extend({
  sentence: z.string(),
  session: SessionId,
  driver: z.string(),
  model: z.string().nullable(),
  seq: z.number(),
  turns: z.array(TurnView),
  messagesWaiting: z.number(),
  prompt: z.string().nullable(),
  result: z.string().nullable(),
  notes: z.array(z.string()),
  directory: z.string(),
  /** What it takes on the disk: its directory, and for a loop its checkpoints in the repository. Counted when asked for. */
  diskBytes: z.number().optional(),
  /** What it asks now, the most urgent first. */
  questions: z.array(Question).optional(),
  loop: LoopView.optional(),
  pool: PoolView.optional(),
  quest: QuestDetail.optional(),
})
export type RunDetail = z.infer<typeof RunDetail>
