import * as z from 'zod'
import { RehoboamError } from '../contract/errors.ts'

// A scenario is data and nothing else: it can be kept in a file, sent to a running model, and printed when a rehearsal
// goes wrong. Every object is strict, because a misspelt key that is silently ignored makes a script that lies.

const field = z.union([z.string(), z.number()]).transform(String)

const when = z.strictObject({
  /** The names of the prompt's first line: `[rehoboam run=<id> role=<role> step=<id> attempt=<n>]`. */
  run: field.optional(),
  role: field.optional(),
  step: field.optional(),
  task: field.optional(),
  iteration: field.optional(),
  attempt: field.optional(),
  /** Assistant messages since the latest prompt, from 0. */
  turn: z.int().min(0).optional(),
  /** A regular expression that the latest prompt's text matches, without the line of names. */
  prompt: z.string().refine(isPattern, 'is not a regular expression').optional(),
  /** The client's own side questions come without tools; a rule sees them only when it says so. */
  side: z.boolean().optional(),
})

const tool = z.strictObject({
  name: z.string().min(1),
  input: z.record(z.string(), z.json()).default({}),
  /** Left out: made by the model, and never the same twice. */
  id: z.string().min(1).optional(),
})

const usage = z.strictObject({
  input: z.int().min(0).default(100),
  output: z.int().min(0).default(20),
  cacheRead: z.int().min(0).default(0),
  cacheWrite: z.int().min(0).default(0),
})

const fault = z.discriminatedUnion('kind', [
  /** Says nothing (more) until it is released by name or the connection closes. */
  z.strictObject({
    kind: z.literal('hang'),
    at: z.enum(['start', 'middle']).default('start'),
    name: z.string().optional(),
  }),
  /** The connection is torn down. */
  z.strictObject({ kind: z.literal('reset'), at: z.enum(['start', 'middle']).default('start') }),
  /** The answer is not what the API promises. */
  z.strictObject({
    kind: z.literal('malformed'),
    how: z.enum(['truncated', 'bad-json', 'unknown-event', 'no-message-stop', 'empty', 'not-a-stream']),
  }),
])

const reply = z
  .strictObject({
    text: z.string().optional(),
    thinking: z.string().optional(),
    tools: z.array(tool).optional(),
    usage: usage.optional(),
    stopReason: z.string().optional(),
    /** Slow streaming: so many characters in a piece, and so long between two pieces. */
    pace: z.strictObject({ chars: z.int().min(1).default(8), delayMs: z.int().min(0).default(20) }).optional(),
    fault: fault.optional(),
    /** An HTTP error instead of a message: 429, 529, 500, 401, ... */
    status: z.int().min(400).max(599).optional(),
    error: z.strictObject({ type: z.string(), message: z.string() }).optional(),
    retryAfterSeconds: z.number().min(0).optional(),
    /** The limit's reset time, told in the API's headers as a moment that lies so far ahead. */
    resetInSeconds: z.number().min(0).optional(),
    headers: z.record(z.string(), z.string()).optional(),
  })
  .refine(r => r.status === undefined || (!r.text && !r.tools && !r.fault), {
    message: 'has a status and also a message: an HTTP error carries neither text, tools nor a fault',
  })
  .refine(r => r.status !== undefined || !(r.error || r.retryAfterSeconds || r.resetInSeconds), {
    message: 'has error, retryAfterSeconds or resetInSeconds without a status',
  })

const rule = z.strictObject({
  when: when.default({}),
  reply,
  /** How often the rule answers before the next one that matches takes its place; left out: always. */
  times: z.int().min(1).optional(),
})

const scenario = z.strictObject({
  /** The first rule that matches answers. */
  rules: z.array(rule).default([]),
  /** What the client's side questions are answered with. */
  side: z.string().default('A short title'),
})

export type When = z.infer<typeof when>
export type Reply = z.infer<typeof reply>
export type Rule = z.infer<typeof rule>
export type Scenario = z.infer<typeof scenario>
/** What a person writes: defaults left out. A list of rules alone is a scenario too. */
export type RuleSource = z.input<typeof rule>
export type ScenarioSource = z.input<typeof scenario> | RuleSource[]

export function parseScenario(source: unknown): Scenario {
  return parsed(scenario, Array.isArray(source) ? { rules: source } : source)
}

export function parseRule(source: unknown): Rule {
  return parsed(rule, source)
}

function parsed<T>(schema: z.ZodType<T>, source: unknown): T {
  const result = schema.safeParse(source)
  if (result.success) return result.data
  const faults = result.error.issues.map(issue => `${issue.path.join('.') || 'scenario'}: ${issue.message}`)
  throw new RehoboamError('bad-scenario', `this is not a scenario: ${faults.join('; ')}`, { faults })
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text)
    return true
  } catch {
    return false
  }
}
