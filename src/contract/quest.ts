import * as z from 'zod'
import { CheckCommand } from './check-command.ts'
import { RoleName, StepId, TextRef } from './ids.ts'
import { WardOutcome } from './loop.ts'
import { SetRequirementsInput, SetStepsInput, SignalKind } from './quest-tools.ts'

/** Work of a quest that is not a step. Ids of steps that are reserved for it. */
export const ERRANDS = ['requirements', 'plan', 'review'] as const

/** A role as it was when the quest began: nobody who plays it can rewrite it. Its words are kept beside the journal. */
export const RoleSpec = z.object({
  name: RoleName,
  prompt: TextRef,
  model: z.string().max(200).nullable(),
  effort: z.string().max(50).nullable(),
  /** The client's own tools that it has; empty: all. Not what it may use unasked: a project's role comes with a clone. */
  tools: z.array(z.string().max(1000)).max(200),
  /** Null: as the quest. */
  driver: z.enum(['headless', 'pane']).nullable(),
  maySignal: z.array(SignalKind),
  /** What it may leave behind. Held by construction: the rest is thrown away, or put back as it was. */
  changes: z.enum(['nothing', 'tests', 'everything']),
})
export type RoleSpec = z.infer<typeof RoleSpec>

/** What a quest was asked to be, beside what its sessions and its checks share with every loop. */
export const QuestSpec = z.object({
  slots: z.number().int().positive().max(100),
  approvePlan: z.boolean(),
  roles: z.array(RoleSpec).max(50),
  /** What a role that may change tests only may change: patterns of paths. */
  testFiles: z.array(z.string().max(500)).max(100),
})
export type QuestSpec = z.infer<typeof QuestSpec>

/** Files that a step names, each path as signs of its segments: a journal holds no text of an agent. */
const NamedFile = z.string().regex(/^[0-9a-f]{8}(?:\/[0-9a-f]{8}){0,60}$/)

/** A step as it stands in a plan. `text`: its title, words and files as JSON. */
export const NewStep = z.object({
  id: StepId,
  text: TextRef,
  files: z.array(NamedFile).max(100),
  dependsOn: z.array(StepId).max(100),
  requirements: z.array(StepId).max(200),
})
export type NewStep = z.infer<typeof NewStep>

/** What of a quest is not configuration. Its slots, driver, model and limits are (`flags` of the request). */
export const QuestRequest = z.strictObject({
  approvePlan: z.boolean().default(false),
  /** Given on the command line: agreed to by being typed. Null: from configuration, else found. Empty: no checks. */
  ward: z.array(CheckCommand).max(50).nullable(),
  acceptRedBase: z.boolean().default(false),
  /** The hash of the found commands that the user has agreed to. */
  agreed: z.string().max(200).nullable(),
  /** What is not committed is not in it, and the user has agreed to that. */
  agreedDirty: z.boolean().default(false),
})
export type QuestRequest = z.infer<typeof QuestRequest>

/** `plan --edit`: as `set-steps` of an agent, by a person. Steps that have begun are not theirs to change either. */
export const PlanRequest = SetStepsInput
export type PlanRequest = z.infer<typeof PlanRequest>

/** `retry ID STEP`, `skip ID STEP`. */
export const StepRequest = z.strictObject({ step: StepId })

export const STEP_STATES = [
  'pending',
  /** It waits for a slot. */
  'ready',
  'working',
  'warding',
  /** In the merge queue, and then being merged. */
  'queued',
  'merging',
  /** It waits for a person. */
  'asking',
  /** It waits for a new plan. */
  'resplit',
  'complete',
  'skipped',
  'dropped',
] as const
export const StepState = z.enum(STEP_STATES)
export type StepState = z.infer<typeof StepState>

/** Where in the flow a step, or an errand, stands. */
const STEP_PHASES = [
  'requirements',
  'plan',
  'approval',
  'code',
  'ward',
  'mend',
  'siege',
  'merge',
  'resplit',
  'review',
  'prove',
  'done',
] as const
export const StepPhase = z.enum(STEP_PHASES)
export type StepPhase = z.infer<typeof StepPhase>

/** One step, or errand, in `show --json`. */
export const StepView = z.object({
  id: StepId,
  title: z.string(),
  text: z.string(),
  files: z.array(z.string()),
  dependsOn: z.array(StepId),
  requirements: z.array(StepId),
  status: StepState,
  phase: StepPhase,
  /** The role in charge; null: none is. */
  role: z.string().nullable(),
  /** 1 to the number of slots; null: it holds none. */
  slot: z.number().nullable(),
  /** Sessions that have worked on it. */
  attempts: z.number(),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  /** Whom or what it waits for: ids of steps, or words. */
  waitsOn: z.array(z.string()),
  /** The roles that wait for a follow-up, the first caller first. */
  chain: z.array(z.object({ role: z.string(), resume: z.boolean() })),
  reds: z.number(),
  costUsd: z.number(),
})
export type StepView = z.infer<typeof StepView>

export const QuestSessionView = z.object({
  /** The client's session id. */
  id: z.string(),
  /** The run of its own under which its output is: `<quest>.s<n>`. */
  run: z.string(),
  role: z.string(),
  step: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  costUsd: z.number(),
  /** While it runs its status; then its signal, or how it ended without one. */
  how: z.string(),
})
export type QuestSessionView = z.infer<typeof QuestSessionView>

const QuestQuestionView = z.object({
  id: z.string(),
  step: z.string(),
  kind: z.string(),
  text: z.string(),
  askedAt: z.iso.datetime(),
  answer: z.string().nullable(),
  answeredAt: z.iso.datetime().nullable(),
})

const QuestWardView = z.object({
  step: z.string().nullable(),
  /** On a step's own branch, on what a merge gave, or on the whole. */
  on: z.enum(['base', 'step', 'merge', 'whole']),
  at: z.iso.datetime(),
  result: WardOutcome.shape.result,
  failing: z.number(),
  cached: z.boolean(),
  tampered: z.boolean(),
})

/** What a quest adds to `show --json`, and what stands in quest.json. */
export const QuestDetail = z.object({
  /** Counts up when something in here changes its meaning. */
  version: z.literal(1),
  directory: z.string(),
  /** opening, basing, requirements, planning, approval, working, reviewing, proving, ended. */
  phase: z.string(),
  request: z.string(),
  approvePlan: z.boolean(),
  requirements: SetRequirementsInput.shape.requirements.or(z.tuple([])),
  steps: z.array(StepView),
  /** requirements, plan and review, as far as they have begun. */
  errands: z.array(StepView),
  sessions: z.array(QuestSessionView),
  questions: z.array(QuestQuestionView),
  wards: z.array(QuestWardView),
  costByRole: z.record(z.string(), z.number()),
  maxCostUsd: z.number().nullable(),
  /** What runs in each slot: the id of a step or an errand. */
  slots: z.array(z.string().nullable()),
  branch: z.string(),
  base: z.string().nullable(),
  tip: z.string().nullable(),
  baseRed: z.number().nullable(),
  /** The account is at a limit until then; nothing starts. */
  waitsUntil: z.iso.datetime().nullable(),
  /** When nothing can run and nothing runs: who waits on what, in sentences. */
  waits: z.array(z.string()),
})
export type QuestDetail = z.infer<typeof QuestDetail>
