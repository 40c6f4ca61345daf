import type { ErrorCode } from './error-codes.ts'

/** An error has a code to branch on, a sentence to read, and in the sentence the way out. */
export class RehoboamError extends Error {
  readonly code: ErrorCode
  readonly data: Record<string, unknown>

  constructor(code: ErrorCode, sentence: string, data: Record<string, unknown> = {}) {
    super(sentence)
    this.name = 'RehoboamError'
    this.code = code
    this.data = data
  }
}
