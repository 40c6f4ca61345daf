import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ERROR_CODES, type ErrorCode } from '../../src/contract/error-codes.ts'
import { RehoboamError } from '../../src/contract/errors.ts'
import { errorOf, refusalOf } from '../../src/contract/refusal.ts'

test('each error code is thrown somewhere in src [core-error-codes]', () => {
  const src = join(import.meta.dirname, '../../src')
  const files = globSync('**/*.ts', { cwd: src }).filter(path => path !== 'contract/error-codes.ts')
  const throwing = files
    .map(path => readFileSync(join(src, path), 'utf8'))
    .filter(text => /RehoboamError\(|\bCare\b/.test(text))
  const isThrown = (code: string) => throwing.some(text => text.includes(`'${code}'`))
  expect(Object.keys(ERROR_CODES).filter(code => !isThrown(code))).toEqual([])
})

test('a refusal becomes the error that it was made from [core-error-codes]', () => {
  for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
    const error = new RehoboamError(code, 'a sentence', { code: 'of another version' })
    const received = errorOf(refusalOf(error))
    expect([received.code, received.message]).toEqual([code, 'a sentence'])
  }
})

test('a code that this version does not know is kept as it was sent [core-error-codes]', () => {
  const refusal = { error: { code: 'next-year', sentence: 'something new' } }
  const error = errorOf(refusal)
  expect([error.code, error.message]).toEqual(['code-unknown', 'something new'])
  expect(refusalOf(error)).toEqual(refusal)
})
