import type { CommandPattern } from '../../../../contract/rule.ts'
import { type Ground, pathFrom } from '../ground.ts'
import { runnerPrefix } from './runners.ts'
import { hasSubcommands, passFlags } from './subcommands.ts'
import type { ShellWord } from './word.ts'

/** Strict: word for word. Only harmless flags before a subcommand are looked past, and only when a ` *` follows. */
export function allows({ words, rest }: CommandPattern, command: readonly ShellWord[], place: Place): boolean {
  const [name = '', ...others] = words
  if (!isProgram(name, command[0]!, place) || !isPinned(words, command)) return false
  if (!others.every(word => meansTheSame(word, command[0]!, place))) return false
  let at = 1
  for (const word of others) {
    if (rest && command[at]?.value !== word) at = passFlags(command, at)
    if (command[at]?.value !== word) return false
    at++
  }
  return rest || at === command.length
}

/** Where the command may run: all directories that are possible at this point. */
export type Place = { directories: readonly string[]; ground: Ground }

/** A name with a slash is a file: `./build.sh` in a rule is the project's, wherever the command stands. */
function isProgram(name: string, { value }: ShellWord, { directories, ground }: Place): boolean {
  if (value === null) return false
  if (!name.includes('/') || !value.includes('/')) return name === value
  const meant = pathFrom(ground.root, name, ground)
  return meant !== null && directories.every(directory => pathFrom(directory, value, ground) === meant)
}

/** What runs any program must be told by the rule which one. */
function isPinned(words: string[], command: readonly ShellWord[]): boolean {
  return words.length > runnerPrefix(command)
}

/** A file's name in a rule is the project's own file: below the root the same word means another one. */
function meansTheSame(word: string, program: ShellWord, { directories, ground }: Place): boolean {
  if (word.startsWith('-') || word.startsWith('/')) return true
  const isSubcommand = hasSubcommands(program) && /^[\w:@-]+$/.test(word)
  return isSubcommand || directories.every(directory => directory === ground.root)
}
