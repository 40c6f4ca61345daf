import type { TestExpression, Word } from 'unbash'

// Of a file or of a text. Not -v, -R, -o and the numeric ones: they evaluate what they are given.
const UNARY = new Set([...'abcdefghknprstuwxzGLNOS'].map(letter => `-${letter}`))
const BINARY = new Set(['=', '==', '!=', '=~', '<', '>', '-nt', '-ot', '-ef'])

/** What makes a `[[ ... ]]` more than a look, or null. Its words are shown to the caller. */
export function testFault(expression: TestExpression, word: (word: Word) => void): string | null {
  switch (expression.type) {
    case 'TestUnary':
      word(expression.operand)
      return UNARY.has(expression.operator) ? null : EVALUATES
    case 'TestBinary':
      word(expression.left)
      word(expression.right)
      return BINARY.has(expression.operator) ? null : EVALUATES
    case 'TestLogical': {
      const faults = expression.operands.map(operand => testFault(operand, word))
      return faults.find(fault => fault !== null) ?? null
    }
    case 'TestNot':
      return testFault(expression.operand, word)
    case 'TestGroup':
      return testFault(expression.expression, word)
  }
}

const EVALUATES = 'a test that evaluates what it compares can run commands'

/** The same for the programs `test` and `[`: a fixed shape, so that no expansion can become an operator. */
export function testArgumentsFault(words: readonly { value: string | null; splits: boolean }[]): string | null {
  const [first, second, third] = words
  if (words.some(({ splits }) => splits)) return EVALUATES
  if (words.length === 2 && first?.value && (UNARY.has(first.value) || first.value === '!')) return null
  if (words.length === 3 && first?.value === '!' && second?.value && UNARY.has(second.value)) return null
  const compares = second?.value && ['=', '==', '!=', '-nt', '-ot', '-ef'].includes(second.value)
  return words.length === 3 && compares && third !== undefined ? null : EVALUATES
}
