import { type Assignment, forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { readParameter } from './parameter.ts'

/** One word of a command, as far as it is known before the shell runs it. */
export type ShellWord = {
  /** As it was written. */
  text: string
  /** What the shell makes of it; null when that is only known when it runs. */
  value: string | null
  /** The best guess, for denials only: quotes taken off, expansions as written. */
  guess: string
  /** May become several words, or none: an expansion outside quotes. */
  splits: boolean
  /** The letters that it surely begins with. */
  start: string
}

/** What a word holds besides letters. `unclear` says why it can only be asked about. */
export type WordSeen = { unclear: (why: string) => void; script: (script: ParsedScript) => void }

export function readWord(word: Word, seen: WordSeen): ShellWord {
  const reading: Reading = { value: '', start: '', splits: false, known: true }
  if (word.parts === undefined) literal(word.text, word.value, reading, seen)
  else readParts(word.parts, false, reading, seen)
  // `~x` and, in zsh, `=x` become a path.
  if (/^~|^=./.test(word.text)) Object.assign(reading, { known: false, start: '' })
  const { value, start, splits, known } = reading
  return { text: word.text, value: known ? value : null, guess: word.value, splits, start: known ? value : start }
}

/** `NAME=value` after a command's name: what it becomes does not matter to anybody who would allow it. */
export function readAssignment(assignment: Assignment, seen: WordSeen): ShellWord {
  if (assignment.index) readWord(assignment.index, seen)
  const { value, text, name } = assignment
  for (const word of value.type === 'ArrayValue' ? value.elements : [value]) readWord(word, seen)
  return { text, value: null, guess: text, splits: false, start: `${name}=` }
}

type Reading = { value: string; start: string; splits: boolean; known: boolean }

/** The text of a here-document: expanded like a word in double quotes. */
export function readBody(parts: readonly WordPart[], seen: WordSeen): void {
  readParts(parts, true, { value: '', start: '', splits: false, known: true }, seen)
}

function readParts(parts: readonly WordPart[], quoted: boolean, reading: Reading, seen: WordSeen): void {
  parts.forEach((part, index) => {
    readPart(part, quoted, reading, seen)
    // In zsh `$x[y]` is an element, and y is evaluated to find it.
    const isVariable = part.type === 'SimpleExpansion' || part.type === 'ParameterExpansion'
    if (isVariable && parts[index + 1]?.text.startsWith('[')) seen.unclear('a variable with an index can run commands')
  })
}

function readPart(part: WordPart, quoted: boolean, reading: Reading, seen: WordSeen): void {
  switch (part.type) {
    case 'Literal':
      literal(part.text, part.value, reading, seen, quoted)
      return
    case 'SingleQuoted':
      add(reading, part.value)
      return
    case 'DoubleQuoted':
      readParts(part.parts, true, reading, seen)
      return
    case 'AnsiCQuoted':
      seen.unclear("$'...' can spell any word")
      add(reading, part.value)
      return
    case 'LocaleString':
      seen.unclear('$"..." is translated before it is used')
      readParts(part.parts, true, reading, seen)
      return
    case 'Glob':
      unknown(reading, false)
      readParts(part.parts ?? [], true, reading, seen)
      return
    case 'BraceExpansion':
    case 'ExtendedGlob':
      seen.unclear(part.type === 'BraceExpansion' ? 'braces can spell any word' : 'a pattern in parentheses')
      unknown(reading, true)
      readParts(part.parts ?? [], true, reading, seen)
      return
    case 'SimpleExpansion':
      unknown(reading, !quoted || part.text === '$@')
      return
    case 'ParameterExpansion':
      readParameter(part, seen)
      unknown(reading, !quoted || part.parameter === '@')
      return
    case 'CommandExpansion':
      readSubstitution(part.text, part.script, seen)
      unknown(reading, !quoted)
      return
    case 'ProcessSubstitution':
      readSubstitution('$(', part.script, seen)
      unknown(reading, false)
      return
    case 'ArithmeticExpansion':
      // A name in it is looked up and evaluated again, and `a[$(command)]` is then run.
      if (!/^\$\(\([\d\s+*/%()-]*\)\)$/.test(part.text)) seen.unclear('arithmetic with names in it can run commands')
      scriptsIn(part, seen)
      unknown(reading, !quoted)
      return
  }
}

function literal(text: string, value: string, reading: Reading, seen: WordSeen, quoted = false): void {
  const bare = text.replace(/\\[^\n]/g, '')
  if (bare.includes('\\')) seen.unclear('a \\ at the end of a line')
  if (quoted ? /`|\$[^\s"]/.test(bare) : /[^\x20-\x7e]|[$`"'<>|&;()]/.test(bare)) seen.unclear(ODD)
  if (!quoted && /[*?[]/.test(bare) && text !== '[') unknown(reading, false)
  add(reading, value)
}

// What stands outside quotes is plain ASCII without the shell's own characters. zsh gives some of them another meaning
// than bash (`x(e:cmd:)` runs cmd, "$=x" splits), and letters of other alphabets look like these.
const ODD = 'letters that a shell could read in more than one way'

function add(reading: Reading, value: string): void {
  reading.value += value
  if (reading.known) reading.start += value
}

function unknown(reading: Reading, splits: boolean): void {
  reading.known = false
  reading.splits ||= splits
}

/** Every script inside, however deep: for what is only looked through for denials. */
export function scriptsIn(node: SyntaxNode, seen: WordSeen): void {
  forEachChild(node, child => {
    if (child.type === 'Script') seen.script(child)
    else scriptsIn(child, seen)
  })
}

function readSubstitution(text: string, script: ParsedScript | undefined, seen: WordSeen): void {
  if (!text.startsWith('$(') && (!text.startsWith('`') || text.includes('\\')))
    seen.unclear('a substitution of another kind')
  if (script === undefined) seen.unclear('a substitution that cannot be read')
  else seen.script(script)
}
