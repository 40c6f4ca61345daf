import * as z from 'zod'

/** A run's id. Short enough to type, random enough never to be met twice on one machine. A pool's children carry its own. */
export const RunId = z
  .string()
  .regex(
    /^[a-z0-9]{8}(?:\.[A-Za-z0-9][A-Za-z0-9_-]{0,63})?$/,
    'a run id is 8 characters of a-z and 0-9, with a dot and a name behind it for a child',
  )
export type RunId = z.infer<typeof RunId>

/** The run that a child belongs to; for every other run itself. */
export function rootOf(run: RunId): RunId {
  return run.slice(0, 8)
}

export function childId(run: RunId, name: string): RunId {
  return `${run}.${name}`
}

export function isChild(run: RunId): boolean {
  return run.length > 8
}

/** An entry of tasks.md. Agents write these, and they become names of runs, directories and branches. */
export const TaskId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'a task id has letters, digits, _ and -')
export type TaskId = z.infer<typeof TaskId>

/** A step of a quest, or work of one that is not a step: `requirements`, `plan`, `review`. */
export const StepId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'a step id has letters, digits, _ and -')
export type StepId = z.infer<typeof StepId>

/** A role of a quest, as prompts, files and signals name it. */
export const RoleName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'a role is named in lower case: letters, digits and -, at most 32')
export type RoleName = z.infer<typeof RoleName>

/** Names with a meaning of their own; `lock` because git has no reference that ends with `.lock`. */
export const RESERVED_IDS: ReadonlySet<string> = new Set(['requirements', 'plan', 'review', 'planner', 'lock'])

/** The client's own session id, which we choose before the session exists. */
export const SessionId = z.uuid()
export type SessionId = z.infer<typeof SessionId>

/** The name of a text kept beside the journal: the SHA-256 of its content. Journals hold names, never texts. */
export const TextRef = z.string().regex(/^[0-9a-f]{64}$/, 'a text is named by its SHA-256')
export type TextRef = z.infer<typeof TextRef>

/** `run:seq:n`: the nth effect of the event with that sequence number. What an effect makes carries its key. */
export const EffectKey = z
  .string()
  .regex(/^[a-z0-9]{8}(?:\.[A-Za-z0-9][A-Za-z0-9_-]{0,63})?:\d{1,15}:\d{1,4}$/, 'an effect key is run:seq:n')
export type EffectKey = z.infer<typeof EffectKey>
