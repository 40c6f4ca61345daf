import type { AndOr, Command, For, ParsedScript, Select, Statement, Word } from 'unbash'
import { strangeGap } from './gaps.ts'
import { readRedirection } from './redirection.ts'
import { testFault } from './test-expression.ts'
import { readAssignment, readWord, type ShellWord, scriptsIn, type WordSeen } from './word.ts'

/** What a script is made of, in the order in which it would run. */
export type Part =
  /** `repeats`: inside a loop, so that what comes later in the text may have happened before. */
  | { type: 'command'; words: ShellWord[]; repeats: boolean }
  /** The commands up to the matching `if-not` run only if the last one, a cd, succeeded. */
  | { type: 'if-so' }
  | { type: 'if-not' }
  | { type: 'file'; use: 'Read' | 'Write'; word: ShellWord }
  /** Never allowed, whatever the rules say; the parts around it can still be denied. */
  | { type: 'unclear'; why: string }

// A person's script has a dozen commands. This is what keeps the work bounded, and with it the daemon's answer.
const MOST_PARTS = 200
const MOST_WORDS = 1000
const DEEPEST = 24

export function partsOf(script: ParsedScript, source: string): Part[] {
  const parts: Part[] = []
  walkScript(script, { source, parts, depth: 0, repeats: false })
  return parts
}

type Walk = { source: string; parts: Part[]; depth: number; repeats: boolean }

function walkScript(script: ParsedScript, walk: Walk): void {
  const inner = within(walk)
  if (inner === null) return
  const source = script.source ?? walk.source
  if (script.errors?.length) unclear(walk, 'it cannot be read as a shell command')
  const gap = strangeGap(script, source)
  if (gap !== null) unclear(walk, gap)
  walkAll(script.commands, { ...inner, source })
}

function walkAll(statements: readonly Statement[], walk: Walk): void {
  for (const { command } of statements) walkNode(command, walk)
}

function walkNode(node: Statement['command'], walk: Walk): void {
  const inner = within(walk)
  if (inner === null) return
  const loop = { ...inner, repeats: true }
  switch (node.type) {
    case 'Command':
      walkCommand(node, walk)
      break
    case 'Pipeline':
      if (node.prefixes.some(({ type }) => type === 'Time')) unclear(walk, 'time is a wrapper: it always asks')
      for (const command of node.commands) walkNode(command, inner)
      break
    case 'AndOr':
      walkAndOr(node, inner)
      break
    case 'Redirected':
      for (const redirect of node.redirects) walk.parts.push(...readRedirection(redirect, seenIn(walk)))
      walkNode(node.command, inner)
      break
    case 'Subshell':
    case 'BraceGroup':
      walkAll(node.body.commands, inner)
      break
    case 'If':
      for (const { clause, then } of [node, ...node.elif]) walkAll([...clause.commands, ...then.commands], inner)
      walkAll(node.else?.commands ?? [], inner)
      break
    case 'While':
      walkAll([...node.clause.commands, ...node.body.commands], loop)
      break
    case 'For':
      walkFor(node, inner)
      break
    case 'Case':
      word(node.word, walk)
      for (const { pattern, body } of node.items) {
        for (const each of pattern) word(each, walk)
        walkAll(body.commands, inner)
      }
      break
    case 'TestCommand':
      unclear(
        walk,
        testFault(node.expression, each => word(each, walk)),
      )
      break
    // What follows is never allowed. It is walked all the same, because a part of it may be denied.
    case 'Function':
    case 'Coproc':
      unclear(walk, node.type === 'Function' ? 'a function can take the name of any program' : 'coproc always asks')
      if (node.body.type === 'CompoundList') walkAll(node.body.commands, loop)
      else walkNode(node.body, loop)
      break
    case 'Select':
      unclear(walk, 'select waits for a person')
      walkFor(node, inner)
      break
    case 'ArithmeticFor':
      unclear(walk, COUNTS)
      for (const each of [node.initialize, node.test, node.update]) if (each) scriptsIn(each, seenIn(walk))
      walkAll(node.body.commands, loop)
      break
    case 'ArithmeticCommand':
      unclear(walk, COUNTS)
      scriptsIn(node, seenIn(walk))
      break
  }
}

/** `cd src && x > y`: x runs in src or not at all. After `||` and at the end both are possible again. */
function walkAndOr({ commands, operators }: AndOr, walk: Walk): void {
  let open = 0
  commands.forEach((command, index) => {
    walkNode(command, walk)
    const isChange = command.type === 'Command' && command.name?.text === 'cd'
    if (isChange && operators[index] === '&&') {
      walk.parts.push({ type: 'if-so' })
      open++
    } else if (operators[index] !== '&&') for (; open > 0; open--) walk.parts.push({ type: 'if-not' })
  })
}

const COUNTS = 'arithmetic with names in it can run commands'
const SETS = 'it sets a variable, which can change what any command does'

function walkCommand({ name, prefix, suffix }: Command, walk: Walk): void {
  const words: ShellWord[] = []
  if (prefix.some(({ type }) => type === 'Assignment')) unclear(walk, SETS)
  else if (name === undefined) unclear(walk, 'a redirection without a command')
  for (const part of prefix) {
    if (part.type === 'Assignment') readAssignment(part, seenIn(walk))
    else walk.parts.push(...readRedirection(part, seenIn(walk)))
  }
  if (name !== undefined) words.push(word(name, walk))
  for (const part of suffix) {
    if (part.type === 'Word') words.push(word(part, walk))
    else if (part.type === 'Assignment') words.push(readAssignment(part, seenIn(walk)))
    else walk.parts.push(...readRedirection(part, seenIn(walk)))
  }
  if (words.length > MOST_WORDS) unclear(walk, 'it is too long or too deep to judge')
  if (words.length > 0) walk.parts.push({ type: 'command', words: words.slice(0, MOST_WORDS), repeats: walk.repeats })
}

// Lower case and short: nobody's PATH, IFS or http_proxy. The rest are zsh's own, which are special in lower case too.
const ZSH_NAMES = 'path cdpath fpath manpath mailpath prompt psvar watch argv status options aliases functions commands'
const TAKEN = new Set(ZSH_NAMES.split(' '))

function walkFor({ name, wordlist, body }: For | Select, walk: Walk): void {
  if (!/^[a-z][a-z0-9]{0,15}$/.test(name.text) || TAKEN.has(name.text)) unclear(walk, SETS)
  for (const each of wordlist ?? []) word(each, walk)
  walkAll(body.commands, { ...walk, repeats: true })
}

function word(node: Word, walk: Walk): ShellWord {
  return readWord(node, seenIn(walk))
}

function seenIn(walk: Walk): WordSeen {
  return { unclear: why => unclear(walk, why), script: script => walkScript(script, walk) }
}

/** One level deeper; null, and said, when there is too much of it. */
function within(walk: Walk): Walk | null {
  if (walk.depth < DEEPEST && walk.parts.length < MOST_PARTS) return { ...walk, depth: walk.depth + 1 }
  unclear(walk, 'it is too long or too deep to judge')
  return null
}

function unclear(walk: Walk, why: string | null): void {
  const last = walk.parts.at(-1)
  const said = last?.type === 'unclear' && last.why === why
  if (why !== null && !said) walk.parts.push({ type: 'unclear', why })
}
