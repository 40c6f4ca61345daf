import type { ParameterExpansionPart, ParameterOperation } from 'unbash'
import { scriptsIn, type WordSeen } from './word.ts'

// Names, positions, and the shell's own; not `(e)x`, `x[1]` or `!x`, which evaluate what they find.
const PLAIN_PARAMETER = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])$/

/** Only forms that bash and zsh read alike, and that neither set a variable nor evaluate one. */
export function readParameter(part: ParameterExpansionPart, seen: WordSeen): void {
  const { parameter, prefix, index, operation } = part
  const plain = PLAIN_PARAMETER.test(parameter) && prefix !== '!' && index === undefined
  if (!plain || !isPlainOperation(operation)) seen.unclear('an expansion that can run commands or set variables')
  scriptsIn(part, seen)
}

function isPlainOperation(operation: ParameterOperation | undefined): boolean {
  switch (operation?.type) {
    case undefined:
      return true
    case 'Default':
      return !operation.operator.endsWith('=') && isPlainText(operation.operand.text)
    case 'Remove':
      return isPlainText(operation.operand.text)
    case 'Replace':
      return isPlainText(operation.pattern.text) && isPlainText(operation.replacement.text)
    default:
      // A slice is arithmetic, @P runs what it finds, :modifiers and ^ are read differently by bash and zsh.
      return false
  }
}

/** Nested expansions are asked about: nobody needs them often, and everybody reads them differently. */
function isPlainText(text: string): boolean {
  return /^[\w\s.,:=@%+*?/-]*$/.test(text)
}
