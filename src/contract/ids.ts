import * as z from 'zod'

/** A run's id. Short enough to type, random enough never to be met twice on one machine. */
export const RunId = z.string().regex(/^[a-z0-9]{8}$/, 'a run id is 8 characters of a-z and 0-9')
export type RunId = z.infer<typeof RunId>

/** The client's own session id, which we choose before the session exists. */
export const SessionId = z.uuid()
export type SessionId = z.infer<typeof SessionId>

/** The name of a text kept beside the journal: the SHA-256 of its content. Journals hold names, never texts. */
export const TextRef = z.string().regex(/^[0-9a-f]{64}$/, 'a text is named by its SHA-256')
export type TextRef = z.infer<typeof TextRef>

/** `run:seq:n`: the nth effect of the event with that sequence number. What an effect makes carries its key. */
export const EffectKey = z.string().regex(/^[a-z0-9]{8}:\d{1,15}:\d{1,4}$/, 'an effect key is run:seq:n')
export type EffectKey = z.infer<typeof EffectKey>
