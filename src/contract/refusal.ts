import { isErrorCode } from './error-codes.ts'
import { RehoboamError } from './errors.ts'

/** A refusal as it is sent: a code to branch on, a sentence to read. Another version may use codes that this one does not know. */
export type Refusal = { error: { code: string; sentence: string } }

export function refusalIn(value: unknown): Refusal | null {
  const error = (value as Partial<Refusal> | null)?.error
  if (typeof error?.code !== 'string' || typeof error.sentence !== 'string') return null
  return { error: { code: error.code, sentence: error.sentence } }
}

export function refusalOf({ code, message, data }: RehoboamError): Refusal {
  return { error: { code: code === 'code-unknown' ? String(data.code) : code, sentence: message } }
}

/** Returns the error that a refusal was made from. */
export function errorOf({ error: { code, sentence } }: Refusal): RehoboamError {
  return isErrorCode(code) ? new RehoboamError(code, sentence) : new RehoboamError('code-unknown', sentence, { code })
}
