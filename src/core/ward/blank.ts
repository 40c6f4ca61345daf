/** A source without its comments, and also without the insides of its strings: as long as it was, with blanks in their place. */
type Blanked = { code: string; bare: string }

export type Syntax = {
  lineComment: string[]
  block: boolean
  /** What may open a string, longest first. */
  quotes: string[]
  /** A slash where a value is expected begins a pattern: one with a quote in it must not open a string. */
  patterns: boolean
}

const VALUE_EXPECTED = /(^|[([{,;=:!&|?+\-*%~^<>\n]|\b(?:return|typeof|case|in|of|do|else|void|await|yield))\s*$/

/** Where it gets lost (a string without an end), the text is given as it is: to see too much is better than to miss a skip. */
export function blank(text: string, syntax: Syntax): Blanked {
  const code: string[] = []
  const bare: string[] = []
  const mayBegin = /["'`/#]/g
  let done = 0
  for (let found = mayBegin.exec(text); found; found = mayBegin.exec(text)) {
    const end = skipped(text, found.index, syntax)
    if (end === null) continue
    if (end.to < 0) return { code: text, bare: text }
    const [before, whole] = [text.slice(done, found.index), text.slice(found.index, end.to)]
    const inside = whole.slice(end.quote, whole.length - end.quote)
    code.push(before, end.what === 'comment' ? blanks(whole) : whole)
    bare.push(before, whole.slice(0, end.quote), blanks(inside), whole.slice(end.quote + inside.length))
    done = end.to
    mayBegin.lastIndex = done
  }
  const rest = text.slice(done)
  return { code: [...code, rest].join(''), bare: [...bare, rest].join('') }
}

function blanks(text: string): string {
  return text.replace(/[^\n]/g, ' ')
}

type End = { what: 'comment' | 'string'; to: number; quote: number }

/** The end of the comment, string or pattern that begins here; null when none does, below zero when it has no end. */
function skipped(text: string, at: number, syntax: Syntax): End | null {
  if (syntax.lineComment.some(mark => text.startsWith(mark, at))) {
    const end = text.indexOf('\n', at)
    return { what: 'comment', to: end < 0 ? text.length : end, quote: 0 }
  }
  if (syntax.block && text.startsWith('/*', at)) {
    const end = text.indexOf('*/', at + 2)
    return { what: 'comment', to: end < 0 ? -1 : end + 2, quote: 0 }
  }
  const quote = syntax.quotes.find(one => text.startsWith(one, at))
  if (quote) return { what: 'string', to: endOfString(text, at, quote), quote: quote.length }
  if (syntax.patterns && text[at] === '/' && VALUE_EXPECTED.test(text.slice(Math.max(0, at - 20), at))) {
    const end = /^\/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n[])+\//.exec(text.slice(at, at + 500))
    return end ? { what: 'string', to: at + end[0].length, quote: 1 } : null
  }
  return null
}

function endOfString(text: string, at: number, quote: string): number {
  const isOneLine = quote === "'" || quote === '"'
  for (let i = at + quote.length; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text.startsWith(quote, i)) return i + quote.length
    else if (isOneLine && text[i] === '\n') return i
  }
  return isOneLine ? text.length : -1
}
