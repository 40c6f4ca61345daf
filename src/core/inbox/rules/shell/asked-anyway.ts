import { isInside, pathFrom, turnsBack } from '../ground.ts'
import type { Place } from './allow.ts'
import { hazardOf } from './hazards.ts'
import { isPlainName, isRehoboam, programName } from './name.ts'
import { interpreterFault, runnerFault, runnerPrefix } from './runners.ts'
import type { ShellWord } from './word.ts'
import { ALWAYS_ASK, LOOKING, WRAPPERS } from './wrappers.ts'

/** Why no rule allows this command, or null. */
export function askedAnyway(words: ShellWord[], place: Place): string | null {
  const first = words[0]!
  const name = programName(first)
  if (first.value === null) return `${first.text} is a name that is not known before it runs`
  if (isRehoboam(first) || (!LOOKING.has(name) && words.some(isRehoboam))) return 'no rule allows rehoboam itself'
  if (!isPlainName(first)) return `${first.text} is not a plainly written name`
  if (WRAPPERS.has(name)) return `${name} is a wrapper: it always asks`
  if (ALWAYS_ASK.has(name)) return `${name} always asks`
  const prefix = runnerPrefix(words)
  if (prefix > 0) return runnerFault(words, prefix) ?? askedInside(name, words.slice(prefix), place)
  return interpreterFault(words) ?? hazardOf(words, path => isInProject(path, place))
}

/** What a runner runs is a command too. A runner in a runner is more than a rule can name. */
function askedInside(runner: string, words: ShellWord[], place: Place): string | null {
  if (runnerPrefix(words) > 0) return `${programName(words[0]!)} in ${runner} always asks`
  return askedAnyway(words, place)
}

function isInProject(path: string, { directories, ground }: Place): boolean {
  const whole = directories.map(directory => pathFrom(directory, path, ground))
  return !turnsBack(path) && whole.every(each => each !== null && isInside(each, ground.root))
}
