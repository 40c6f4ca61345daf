import * as z from 'zod'
import { RoleName, StepId } from './ids.ts'

/**
 * What an agent of a quest may say to us, as the tools of one MCP server. Every text is an agent's: bounded here, checked
 * against the quest by whoever decides. The shapes strip what they do not know, because models send fields too many
 * more often than fields too few, and refusing those teaches nothing.
 */

/** The six roles of the flow. A project may add others, which only a follow-up reaches. */
export const QUEST_ROLES = [
  'chaoswhisperer',
  'pathseeker',
  'codeweaver',
  'siegemaster',
  'lawbringer',
  'spiritmender',
] as const
export type QuestRole = (typeof QUEST_ROLES)[number]

/** Requirements are made once, at the start: nobody is followed up by the role that makes them. */
export const FOLLOW_UP_ROLES = QUEST_ROLES.filter(role => role !== 'chaoswhisperer')

export const SIGNAL_KINDS = ['complete', 'partially-complete', 'needs-user-input', 'needs-role-followup'] as const
export const SignalKind = z.enum(SIGNAL_KINDS)
export type SignalKind = z.infer<typeof SignalKind>

export const QUEST_TOOLS = ['signal-back', 'get-step', 'set-requirements', 'set-steps'] as const
export type QuestTool = (typeof QUEST_TOOLS)[number]

/** What a role may use of them. Requirements and plan have one author each. */
export function questToolsOf(role: string): QuestTool[] {
  const own: Record<string, QuestTool[]> = { chaoswhisperer: ['set-requirements'], pathseeker: ['set-steps'] }
  return ['signal-back', 'get-step', ...(own[role] ?? [])]
}

// A handover of some pages. Longer is a transcript, and the next session would pay for reading it.
const LONGEST_TEXT = 20_000
const LONGEST_LINE = 2000
const MOST_STEPS = 500
const MOST_REQUIREMENTS = 200

const text = z.string().trim().min(1).max(LONGEST_TEXT)
const line = z.string().trim().min(1).max(LONGEST_LINE)
const perhaps = z.string().trim().max(LONGEST_TEXT).default('')

const FIELDS = {
  stepId: StepId.describe('the step that you work on, as the first line of your prompt names it'),
  summary: text.describe('complete: what is done, what you checked and how it came out; the next role reads this'),
  progress: text.describe('partially-complete: what is done and committed, so that nobody does it again'),
  continuationPoint: text.describe('partially-complete: exactly where a fresh session with no memory has to go on'),
  question: text.describe('needs-user-input: one question that a person can answer in a sentence'),
  context: perhaps.describe('needs-user-input, needs-role-followup: what the one who answers has to know'),
  targetRole: RoleName.describe('needs-role-followup: who shall work now'),
  reason: text.describe('needs-role-followup: what that role shall do, and why you cannot'),
  resume: z
    .boolean()
    .describe('needs-role-followup: true resumes you with the outcome; false goes on to the next phase without you'),
}
const { stepId, summary, progress, continuationPoint, question, context, targetRole, reason, resume } = FIELDS

export const SignalInput = z.discriminatedUnion('signal', [
  z.object({ signal: z.literal('complete'), stepId, summary }),
  z.object({ signal: z.literal('partially-complete'), stepId, progress, continuationPoint }),
  z.object({ signal: z.literal('needs-user-input'), stepId, question, context }),
  z.object({ signal: z.literal('needs-role-followup'), stepId, targetRole, reason, context, resume }),
])
export type SignalInput = z.infer<typeof SignalInput>

/** The same as published: a client wants an object at the root, so the kinds are one field and the rest may be there. */
export const PublishedSignal = z.object({
  signal: SignalKind.describe('what you tell us; it decides which other fields are needed'),
  ...z.object(FIELDS).partial().shape,
  stepId,
})

export const GetStepInput = z.object({
  stepId: StepId.optional().describe('another step than your own'),
})
export type GetStepInput = z.infer<typeof GetStepInput>

const Requirement = z.object({
  id: StepId.describe('short and speaking, e.g. empty-list'),
  given: line.describe('the state before, concrete enough to be set up by a test'),
  when: line.describe('the one thing that happens'),
  // biome-ignore lint/suspicious/noThenProperty: given, when, then are the words of the specification; nobody awaits this.
  then: line.describe('what can be observed from outside afterwards'),
})
export type Requirement = z.infer<typeof Requirement>

export const SetRequirementsInput = z.object({
  requirements: z
    .array(Requirement)
    .min(1)
    .max(MOST_REQUIREMENTS)
    .describe('all of them: a second call replaces the first'),
})
export type SetRequirementsInput = z.infer<typeof SetRequirementsInput>

const PlannedStep = z.object({
  id: StepId.describe('short and speaking; unique without regard to case'),
  title: z.string().trim().min(1).max(200).describe('one line that a person reads in a list'),
  text: text.describe('what to build, where, how it is known to be right; its reader has seen nothing else'),
  files: z
    .array(z.string().trim().min(1).max(500))
    .max(100)
    .default([])
    .describe(
      'paths from the root of the project that it will change or create; steps that share one do not run at once',
    ),
  dependsOn: z.array(StepId).max(100).default([]).describe('ids of steps that must be merged before it starts'),
  requirements: z.array(StepId).max(MOST_REQUIREMENTS).default([]).describe('ids of the requirements that it meets'),
})

export const SetStepsInput = z.object({
  steps: z.array(PlannedStep).max(MOST_STEPS).default([]).describe('steps to add, or to write anew by their id'),
  drop: z.array(StepId).max(MOST_STEPS).default([]).describe('ids of pending steps that shall not be done'),
})
export type SetStepsInput = z.infer<typeof SetStepsInput>

/** What the model reads. Refused: nothing has changed, and the text says why and what to send instead. */
export type ToolAnswer = { accepted: boolean; text: string }
