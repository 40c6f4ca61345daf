/** A refusal: a code to branch on, a sentence to read. */
export type Refusal = { error: { code: string; sentence: string } }

export function refusalIn(value: unknown): Refusal | null {
  const error = (value as Partial<Refusal> | null)?.error
  if (typeof error?.code !== 'string' || typeof error.sentence !== 'string') return null
  return { error: { code: error.code, sentence: error.sentence } }
}
