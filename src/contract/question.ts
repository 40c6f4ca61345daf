import * as z from 'zod'

export const QuestionKind = z.enum([
  'permission',
  'question',
  'conflict',
  'limit',
  'crash',
  'stall',
  'plan',
  'environment',
  'ward',
  'setup',
  'trust',
])
export type QuestionKind = z.infer<typeof QuestionKind>

/** One line of `inbox --json`. Scripts rely on it: fields are added, never renamed. */
export const Question = z.object({
  id: z.string(),
  kind: QuestionKind,
  run: z.string().nullable(),
  agent: z.string().nullable(),
  step: z.string().nullable(),
  text: z.string(),
  options: z.array(z.string()),
  since: z.iso.datetime(),
  project: z.string(),
  /** For a permission: the tool and why no rule decided. */
  tool: z.string().nullable(),
  why: z.string().nullable(),
})
export type Question = z.infer<typeof Question>

/** The inbox as those who follow it need it. */
export type InboxState = { questions: Question[]; mutedUntil: string | null; bell: boolean }

export const Answer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('allow') }),
  z.strictObject({ kind: z.literal('deny'), reason: z.string().max(2000) }),
  z.strictObject({ kind: z.literal('text'), text: z.string().min(1).max(20_000) }),
])
export type Answer = z.infer<typeof Answer>

export const Face = z.enum(['cli', 'tui', 'web'])
export type Face = z.infer<typeof Face>

export const AnswerRequest = z.strictObject({
  answer: Answer,
  face: Face,
  /** Make a rule of it too. */
  always: z.enum(['no', 'run', 'project', 'always']).default('no'),
})
export type AnswerRequest = z.infer<typeof AnswerRequest>

/** Somebody inside an agent tried to decide: refused by the command, and written down. */
export const RefusedAttempt = z.strictObject({
  command: z.string().max(200),
  question: z.string().max(200).nullable(),
  session: z.string().max(200).nullable(),
  run: z.string().max(20).nullable(),
})

/** One line of the audit log. */
export type AuditEntry = {
  at: string
  what: 'answered' | 'closed' | 'refused' | 'rule-added' | 'rule-removed'
  question: string | null
  agent: string | null
  run: string | null
  text: string
  answer: Answer | null
  by: Face | 'rule' | 'pane' | 'session-end' | 'agent' | 'expiry'
  rule: string | null
}
