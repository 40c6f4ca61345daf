import { programName } from './name.ts'
import { runnerPrefix } from './runners.ts'
import { readCommandLine } from './source.ts'
import type { ShellWord } from './word.ts'
import { ALWAYS_ASK, SHELLS, WRAPPERS } from './wrappers.ts'

/** The command itself, and every command that can be seen inside it: `sudo rm x` holds `rm x`. For denials only. */
export function commandsIn(words: ShellWord[]): ShellWord[][] {
  const found: ShellWord[][] = []
  look(words, { found, budget: BUDGET }, 0)
  return found
}

// `sudo sudo sudo ...` and text in text in text: looked into as far as anybody would write it.
const BUDGET = 200
const DEEPEST = 6

type Search = { found: ShellWord[][]; budget: number }

function look(words: ShellWord[], search: Search, depth: number): void {
  if (words.length === 0 || depth > DEEPEST || search.budget-- <= 0) return
  search.found.push(words)
  const name = programName(words[0]!)
  const before = WRAPPERS.get(name)
  const prefix = runnerPrefix(words)
  const inner = [
    ...(before === undefined ? [] : afterFlags(words.slice(1), before)),
    ...(prefix === 0 ? [] : afterFlags(words.slice(prefix), 0)),
    ...(name === 'find' ? afterExec(words) : []),
  ]
  for (const each of inner) look(each, search, depth + 1)
  if (before !== undefined || SHELLS.has(name) || ALWAYS_ASK.has(name)) lookIntoTexts(words.slice(1), search, depth)
}

/** Where the inner command may begin. A flag may have a value or not, so both are tried; `A=b` of env and sudo is passed. */
function afterFlags(given: ShellWord[], plain: number): ShellWord[][] {
  const words = given.slice(0, MOST_WORDS)
  let starts = new Set([0])
  for (let passed = 0; passed <= plain; passed++) {
    const closed = new Set<number>()
    const open = [...starts]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at >= words.length || closed.has(at)) continue
      closed.add(at)
      if (/^-|^\w+=/.test(words[at]!.guess)) open.push(at + 1, at + 2)
    }
    starts = passed < plain ? new Set([...closed].map(at => at + 1)) : closed
  }
  return [...starts].map(at => words.slice(at))
}

function afterExec(words: ShellWord[]): ShellWord[][] {
  return words.flatMap(({ guess }, index) => (/^-(?:exec|ok)(?:dir)?$/.test(guess) ? [words.slice(index + 1)] : []))
}

/** Any argument that could be a command line is read as one, alone and together with what follows it (eval, ssh). */
function lookIntoTexts(words: ShellWord[], search: Search, depth: number): void {
  const guesses = words.slice(0, MOST_WORDS).map(({ guess }) => guess)
  guesses.forEach((guess, index) => {
    if (!/[\s;&|<>$`(]/.test(guess) && index > 0) return
    lookIntoText(guess, search, depth)
    lookIntoText(guesses.slice(index).join(' '), search, depth)
  })
}

const MOST_WORDS = 40
const LONGEST_TEXT = 4000

function lookIntoText(text: string, search: Search, depth: number): void {
  if (text.length > LONGEST_TEXT || search.budget-- <= 0) return
  for (const part of readCommandLine(text).parts) {
    if (part.type === 'command') look(part.words, search, depth + 1)
  }
}
