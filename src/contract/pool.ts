import * as z from 'zod'
import { TaskId, TextRef } from './ids.ts'
import { WardOutcome } from './loop.ts'
import { Cause, RunStatus } from './status.ts'

const Commit = z.string().regex(/^[0-9a-f]{40,64}$/)

/** What a pool was asked to be, beside what its sessions and its planner share with every loop. */
export const PoolSpec = z.object({
  /** Workers start when planning is complete; without it the plan is the result. */
  autoSpawn: z.boolean(),
  maxWorkers: z.number().int().positive(),
  /** Of one worker. */
  workerIterations: z.number().int().positive(),
  /** The word that a worker ends with; a planner says PLANNING COMPLETE. */
  stopWord: z.string().min(1).max(100),
  /** The user's own words for workers, from `.rehoboam/prompts/worker.md` as it was at the start. */
  workerInstructions: TextRef.nullable(),
})
export type PoolSpec = z.infer<typeof PoolSpec>

/** Files that a task names, each path as signs of its segments: a journal holds no text of an agent. */
const NamedFile = z.string().regex(/^[0-9a-f]{8}(?:\/[0-9a-f]{8}){0,60}$/)

export const NewTask = z.object({ id: TaskId, text: TextRef, files: z.array(NamedFile).max(50) })
export type NewTask = z.infer<typeof NewTask>

/** How a child of a pool or a quest came to its end, and what it left. */
export const ChildOutcome = z.object({
  status: RunStatus,
  cause: Cause.nullable(),
  /** Of a loop; of a session its turns. */
  iteration: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative(),
  /** The newest commit of the branch that it worked on; null for one that may change nothing. */
  commit: Commit.nullable(),
  /** When the account's limit is over, as far as the client said. */
  limitResetsAt: z.number().int().nullable(),
  /** What people said to its parent and it was told in a prompt, each by the number of its event. */
  heard: z.array(z.number().int().positive()),
  /** What a person should know: files of it that were put back. */
  notes: z.array(TextRef).max(20),
})
export type ChildOutcome = z.infer<typeof ChildOutcome>

/** What came of bringing a worker's work into the result. `tip`: where the result branch stands now. */
export const MergeOutcome = z.object({
  result: z.enum(['merged', 'nothing', 'red', 'conflict', 'could-not-run']),
  tip: Commit,
  tree: Commit.nullable(),
  ward: WardOutcome.nullable(),
  /** What its worker, or a person, has to know about it. */
  report: TextRef.nullable(),
})
export type MergeOutcome = z.infer<typeof MergeOutcome>

export const TaskState = z.enum([
  'pending',
  /** Somebody outside the pool has it. */
  'claimed',
  'active',
  'merging',
  'merged',
  'done',
  /** Waits for a person. */
  'stuck',
  'failed',
  'dropped',
])
export type TaskState = z.infer<typeof TaskState>

/** One task in `show --json` and `task list --json`. */
export const TaskView = z.object({
  id: TaskId,
  state: TaskState,
  /** Its first line; empty where only the state is known. */
  title: z.string(),
  /** Who has or had it: a run, or a person. */
  by: z.string().nullable(),
  attempts: z.number(),
  iterations: z.number(),
  costUsd: z.number(),
  /** What of it is in git: the newest commit of its branch. */
  commit: z.string().nullable(),
  branch: z.string().nullable(),
})
export type TaskView = z.infer<typeof TaskView>

/** What a pool adds to `show --json`. */
export const PoolView = z.object({
  directory: z.string(),
  phase: z.string(),
  round: z.number(),
  maxWorkers: z.number(),
  /** Where its result is, and how far it has come. */
  branch: z.string(),
  base: z.string().nullable(),
  tip: z.string().nullable(),
  baseRed: z.number().nullable(),
  planner: z.string().nullable(),
  tasks: z.array(TaskView),
})
export type PoolView = z.infer<typeof PoolView>
