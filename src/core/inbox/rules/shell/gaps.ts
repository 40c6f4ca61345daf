import { forEachChild, type ParsedScript, type SyntaxNode } from 'unbash'

/**
 * A second look at the parser: what of the text it did not put into any word must be blanks, operators and keywords.
 * A comment, a `\` before a line's end, or anything that it dropped without a word shows here.
 */
export function strangeGap(script: ParsedScript, source: string): string | null {
  const text = source.slice(script.pos, script.end).split('')
  blankOut(script, text, script.pos)
  const rest = text.join('')
  if (rest.includes('#')) return 'it holds a comment'
  if (rest.includes('\\')) return 'a \\ at the end of a line'
  return GAP.test(rest) ? null : 'a part of it was not understood'
}

const KEYWORDS = 'if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|coproc|time'
const GAP = new RegExp(`^(?:[ \\t\\n;&|(){}!]|(?<![\\w])(?:${KEYWORDS})(?![\\w]))*$`)

// Taken as a whole: what is inside a word, a redirection or a test is looked at by whoever reads these.
const WHOLE = new Set(['Word', 'Assignment', 'Redirect', 'HereString', 'TestCommand', 'ArithmeticCommand', 'Time'])

function blankOut(node: SyntaxNode, text: string[], offset: number): void {
  forEachChild(node, child => {
    if (child.type === 'HereDoc') {
      text.fill(' ', child.pos - offset, child.end - offset)
      text.fill(' ', child.body.pos - offset, child.closing?.end === undefined ? 0 : child.closing.end - offset)
    } else if (WHOLE.has(child.type)) text.fill(' ', child.pos - offset, child.end - offset)
    else blankOut(child, text, offset)
  })
}
