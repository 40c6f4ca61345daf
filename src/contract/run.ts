import * as z from 'zod'
import { RunId, SessionId } from './ids.ts'
import { LoopView } from './loop.ts'

export const RunKind = z.enum(['session', 'loop', 'pool', 'quest'])
export type RunKind = z.infer<typeof RunKind>

export const RunStatus = z.enum([
  'active',
  'paused',
  'blocked',
  'complete',
  'stalled',
  'failed',
  'cancelled',
  'over-budget',
])
export type RunStatus = z.infer<typeof RunStatus>

export const ENDED: ReadonlySet<RunStatus> = new Set(['complete', 'stalled', 'failed', 'cancelled', 'over-budget'])

/** Why a run stands where it stands: one closed list, each with the sentence a person reads. */
export const CAUSES = {
  finished: 'the session ended its turn without an error',
  closed: 'its user closed the session',
  cancelled: 'somebody cancelled it',
  'paused-by-user': 'somebody paused it',
  'needs-environment': 'the daemon was restarted and credentials that the run was started with are gone',
  'project-missing': 'its project directory is missing',
  'client-missing': 'the client program could not be started',
  'session-busy': 'somebody has this session open elsewhere',
  'client-refused': 'the client ended before the session began',
  'client-error': 'the session ended with an error',
  crashed: 'the session was cut off again and again',
  stuck: 'the session said and did nothing for a long time, twice',
  limit: 'the account has reached a rate or usage limit',
  overloaded: 'the model was overloaded',
  auth: 'the credentials were refused',
  'api-error': 'the model could not be reached or answered with an error',
  'max-cost': 'it reached its cost limit',
  'max-time': 'it reached its time limit',
  'stop-word': 'an agent said the stop word, and nothing speaks against it',
  promise: 'an agent gave its promise, and nothing speaks against it',
  judged: 'the judge says that it is done, and nothing speaks against it',
  'base-still-red': 'it claims to be done; the checks that still fail failed before it began',
  rejected: 'somebody rejected it',
  'anchor-changed': 'an agent changed the anchor for the third time',
  'max-iterations': 'it reached its last iteration',
  'same-end': 'five iterations ended with the same words and nothing moved',
  'ledger-unmoved': 'nothing moved: no file, no check, no task, no criterion',
  'refused-claims': 'it claimed three times to be done while the checks were red',
  'red-base': 'it claimed three times to be done while the checks that failed before it began fail as before',
  'same-error': 'the same error came again and again',
  'judged-stalled': 'the judge says that it does not get further',
  'waits-for-person': 'an agent says that it waits for a person',
  'ward-could-not-run': 'the checks could not be run',
  'taken-over': 'a person types in its pane',
  question: 'something asks for a person, and questions are not wanted',
  'directory-busy': 'another run works with this loop directory',
  'git-busy': 'the repository is in the middle of something (a rebase, a merge)',
} as const
export type Cause = keyof typeof CAUSES
export const Cause = z.enum(Object.keys(CAUSES) as [Cause, ...Cause[]])

/** One line of `runs --json`. Scripts rely on it: fields are added, never renamed. */
export const RunSummary = z.object({
  id: RunId,
  kind: RunKind,
  status: RunStatus,
  cause: Cause.nullable(),
  proven: z.boolean().nullable(),
  project: z.string(),
  iteration: z.number().nullable(),
  maxIterations: z.number().nullable(),
  steps: z.object({ total: z.number(), complete: z.number(), running: z.number(), blocked: z.number() }).nullable(),
  costUsd: z.number(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type RunSummary = z.infer<typeof RunSummary>

/** Where a run stands, and its newest event: what those who follow it ask. */
export type RunStanding = Pick<RunSummary, 'status'> & { seq: number }

/** One process start of a session, below a run in `show --json`. */
export const TurnView = z.object({
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
  loop: LoopView.optional(),
})
export type RunDetail = z.infer<typeof RunDetail>
