import type { CommandPattern } from '../../../../contract/rule.ts'
import { folded } from '../ground.ts'
import { programName } from './name.ts'
import type { ShellWord } from './word.ts'

/** `maybe`: it depends on what is only known when it runs. Then it is asked, whatever else allows it. */
type Denial = 'yes' | 'maybe' | 'no'

/** Generous: every flag is looked past, wherever it stands and whatever it takes; names count without their directory. */
export function denies(
  { words: [name = '', ...rest], rest: open }: CommandPattern,
  command: readonly ShellWord[],
): Denial {
  const named = namedBy(name, command[0]!)
  if (named === 'no') return 'no'
  const flags = rest.filter(word => word.startsWith('-'))
  const found = least(named, flagsFound(flags, command), wordsFound(rest.filter(isPlain), command, open))
  return found
}

function namedBy(name: string, word: ShellWord): Denial {
  if (name === word.guess || name === programName(word)) return 'yes'
  const own = folded(programName(word))
  return own === folded(name) || own === folded(name.slice(name.lastIndexOf('/') + 1)) ? 'maybe' : 'no'
}

/** `rm -rf *` means `rm -r -f`, `rm -fr` and `rm x -rf` too. */
function flagsFound(flags: string[], command: readonly ShellWord[]): Denial {
  const given = command.slice(1)
  const has = (flag: string) =>
    flag.startsWith('--')
      ? given.some(({ guess }) => isLong(guess, flag))
      : [...flag.slice(1)].every(letter => given.some(({ guess }) => /^-[^-]/.test(guess) && guess.includes(letter, 1)))
  if (flags.every(has)) return 'yes'
  return given.some(({ value, splits, start }) => value === null && (splits || start === '' || start.startsWith('-')))
    ? 'maybe'
    : 'no'
}

/** `--force`, `--force=x`, and as getopt takes it, `--forc`. */
function isLong(given: string, flag: string): boolean {
  const [name = ''] = given.split('=')
  return name === flag || (name.length > 3 && name.startsWith('--') && flag.startsWith(name))
}

/** The plain words in their order, with nothing between them but flags and what may belong to a flag. */
function wordsFound(words: string[], command: readonly ShellWord[], open: boolean): Denial {
  let reached = new Set([1])
  let certain = true
  for (const word of words) {
    const next = new Set<number>()
    for (const at of passingFlags(reached, command)) {
      const given = command[at]
      if (given === undefined) continue
      if (given.value === null) certain = false
      if (given.guess !== word && folded(given.guess) === folded(word)) certain = false
      if (given.value === null || folded(given.guess) === folded(word)) next.add(at + 1)
    }
    reached = next
  }
  if (reached.size === 0) return 'no'
  if (open) return certain ? 'yes' : 'maybe'
  const ends = [...reached].map(at => command.slice(at))
  if (ends.some(end => end.length === 0)) return certain ? 'yes' : 'maybe'
  return ends.some(onlyFlags) ? 'maybe' : 'no'
}

/** Nothing but flags, what may be their values, and what is not known: perhaps exactly what is denied. */
function onlyFlags(words: readonly ShellWord[]): boolean {
  const isFlag = (word: ShellWord | undefined) => word?.guess.startsWith('-') === true
  return words.every((word, index) => word.value === null || isFlag(word) || isFlag(words[index - 1]))
}

function passingFlags(from: Set<number>, command: readonly ShellWord[]): Set<number> {
  const passed = new Set<number>()
  const open = [...from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (passed.has(at)) continue
    passed.add(at)
    if (command[at]?.guess.startsWith('-')) open.push(at + 1, at + 2)
  }
  return passed
}

function least(...denials: Denial[]): Denial {
  return denials.includes('no') ? 'no' : denials.includes('maybe') ? 'maybe' : 'yes'
}

function isPlain(word: string): boolean {
  return !word.startsWith('-')
}
