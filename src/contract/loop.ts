import * as z from 'zod'
import { TaskId, TextRef } from './ids.ts'

/** A name for something that an agent or a project wrote, in a journal that holds no such text. */
const Hash = z.string().regex(/^[0-9a-f]{8,64}$/)
const Commit = z.string().regex(/^[0-9a-f]{40,64}$/)

/** A loop that does not work in place: its sessions' project is a directory of a worktree of ours. */
export const LoopWorktree = z.object({
  /** The same directory in the user's own checkout. */
  project: z.string().min(1).max(4096),
  /** `rehoboam/<run>`, or `rehoboam-work/<run>/<task>` for a pool's worker. */
  branch: z.object({
    run: z.string().regex(/^[a-z0-9]{8}$/),
    task: TaskId.nullable(),
  }),
  /** The commit that its branch begins with; null: HEAD when it is made. */
  base: Commit.nullable(),
})
export type LoopWorktree = z.infer<typeof LoopWorktree>

/** What a loop was asked to be, frozen at its start. Texts (anchor, ward commands, the judge's own criteria) by reference. */
export const LoopSpec = z.object({
  /** `<project>/.rehoboam`, where people and agents read. */
  directory: z.string().min(1).max(4096),
  role: z.enum(['auto', 'planner', 'worker']),
  maxIterations: z.number().int().positive(),
  stopWord: z.string().min(1).max(100),
  stallAfter: z.number().int().positive(),
  judge: z.enum(['heuristic', 'model', 'off']),
  judgePrompt: TextRef.nullable(),
  /** The user's own words for the role, from `.rehoboam/prompts/<role>.md` as it was at the start. */
  instructions: TextRef.nullable(),
  /** The ward's commands as a JSON list; null: there is none. */
  ward: TextRef.nullable(),
  wardTimeMs: z.number().int().positive(),
  acceptRedBase: z.boolean(),
  criteria: z.number().int().nonnegative(),
  /** The one task of a pool's worker. */
  task: z.object({ id: TaskId, text: TextRef }).nullable(),
  /** guardrails.md of a pool as it was when this worker began. */
  lessons: TextRef.nullable(),
  /** Its project is a worktree that is made from this commit for every iteration: whatever is changed there is gone. */
  disposable: z.object({ repository: z.string().max(4096), path: z.string().max(4096), commit: Commit }).nullable(),
  /** How a fresh worktree is made ready, as JSON: commands, and files to copy. */
  setup: TextRef.nullable(),
  /** Null: it works in place. */
  worktree: LoopWorktree.nullable(),
})
export type LoopSpec = z.infer<typeof LoopSpec>

export const Verdict = z.enum(['continue', 'complete', 'stalled', 'blocked'])
export type Verdict = z.infer<typeof Verdict>

export const Mark = z.enum(['PASS', 'FAIL', 'UNKNOWN'])
export type Mark = z.infer<typeof Mark>

/** What was found when an iteration had ended: facts only, read from files, git and the transcript. */
export const IterationFacts = z.object({
  lastMessage: TextRef.nullable(),
  /** Of the last message, folded: equal for ends that say the same. */
  end: Hash.nullable(),
  checkpoint: z.object({ commit: Commit, tree: Commit }).nullable(),
  /** The part of the ledger that the close can see: tree, tasks, criteria. Null where there is none of it. */
  ledger: Hash.nullable(),
  claim: z.enum(['stop-word', 'promise']).nullable(),
  verdict: Verdict,
  because: TextRef.nullable(),
  anchorChanged: z.boolean(),
  toolCalls: z.number().int().nonnegative(),
  /** Only for a session whose stream does not tell it. */
  costUsd: z.number().nonnegative(),
  errors: z.array(z.object({ key: Hash, count: z.number().int().positive(), text: TextRef })).max(50),
  /** What a person should know: files that were restored, files left out of the checkpoint. */
  notes: z.array(TextRef).max(20),
})
export type IterationFacts = z.infer<typeof IterationFacts>

/** What a ward gave. `failing` names each red check by hash; the words stand in `report`. */
export const WardOutcome = z.object({
  result: z.enum(['green', 'red', 'could-not-run']),
  failing: z.array(Hash).max(500),
  /** The ward's own definition or the tests were changed since the base. */
  tampered: z.boolean(),
  /** What was done to the checks. */
  tampering: z.array(z.enum(['definition', 'deleted', 'skipped'])).max(3),
  /** One line that names the checks that are not green, or says why they could not be run. */
  named: TextRef.nullable(),
  /** How they were changed, as a diff: for the model judge and for a person. */
  changes: TextRef.nullable(),
  report: TextRef.nullable(),
  ms: z.number().int().nonnegative(),
  cached: z.boolean(),
})
export type WardOutcome = z.infer<typeof WardOutcome>

export const Judgement = z.object({
  verdict: Verdict,
  criteria: z.array(Mark).max(200),
  report: TextRef.nullable(),
  costUsd: z.number().nonnegative(),
  /** It failed or said nonsense: counted as continue, and said. */
  failed: z.boolean(),
})
export type Judgement = z.infer<typeof Judgement>

/** One iteration in `show --json`. */
export const IterationView = z.object({
  iteration: z.number(),
  session: z.string(),
  state: z.enum(['running', 'closing', 'ended']),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  outcome: z.string().nullable(),
  verdict: Verdict.nullable(),
  claim: z.enum(['stop-word', 'promise', 'judge']).nullable(),
  ward: z.enum(['green', 'red', 'could-not-run']).nullable(),
  moved: z.boolean().nullable(),
  toolCalls: z.number(),
  costUsd: z.number(),
  checkpoint: z.string().nullable(),
  markedWrong: z.boolean(),
  /** Why the verdict is what it is, in a sentence; null: nobody has said, or it is not known yet. */
  why: z.string().nullable(),
})
export type IterationView = z.infer<typeof IterationView>

/** What a loop adds to `show --json`. */
export const LoopView = z.object({
  directory: z.string(),
  role: z.string(),
  phase: z.string(),
  stopWord: z.string(),
  stallAfter: z.number(),
  judge: z.string(),
  maxCostUsd: z.number().nullable(),
  unmovedFor: z.number(),
  refusedClaims: z.number(),
  baseRed: z.number().nullable(),
  /** The checks as they stood last; iteration 0 is the base. `names`: those that are not green, or why they could not be run. */
  checks: z
    .object({ iteration: z.number(), result: WardOutcome.shape.result, names: z.string().nullable() })
    .nullable(),
  criteria: z.array(Mark),
  base: z.string().nullable(),
  /** Where its result is, when it works in a worktree. */
  branch: z.string().nullable(),
  /** Its last checkpoint differs from what was there before. */
  changed: z.boolean(),
  waitsUntil: z.iso.datetime().nullable(),
  iterations: z.array(IterationView),
})
export type LoopView = z.infer<typeof LoopView>
