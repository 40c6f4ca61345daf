import { denialOf, type NamedDenial } from '../files.ts'
import { pathFrom } from '../ground.ts'
import { keptPlace, mayMeanKept } from '../kept-places.ts'
import type { Place } from './allow.ts'
import { programName } from './name.ts'
import type { ShellWord } from './word.ts'
import { LOOKING } from './wrappers.ts'

// Ten denied files, a hundred arguments, a cd.
const MOST_LOOKS = 2000

/**
 * A `*` in a rule gives a program any file, but not one that another rule denies, nor, unless it only looks, one that
 * steers what others run. A help, not a wall: what a word becomes when it runs is not seen. Why it asks, or null.
 */
export function guardedArgument(words: ShellWord[], place: Place, denials: readonly NamedDenial[]): string | null {
  const { directories, ground } = place
  if (words.length * directories.length * denials.length > MOST_LOOKS) return 'it is too long to judge'
  const looks = LOOKING.has(programName(words[0]!))
  // Whose file in the home directory it is does not matter here, only its name.
  const anywhere = { ...ground, home: '/' }
  for (const { guess, value } of words.slice(1)) {
    if (!looks && value === null && mayMeanKept(guess)) return `${guess} may be what nobody changes without asking`
    const names = [guess, guess.slice(guess.indexOf('=') + 1)]
    for (const path of directories.flatMap(directory => names.map(name => pathFrom(directory, name, ground)))) {
      if (path === null) continue
      const denial = denialOf(path, denials)
      if (denial !== null) return `rule ${denial} denies ${guess} to tools that say what they read and write`
      const kept = looks ? null : keptPlace(path, anywhere)
      if (kept !== null) return `${kept} is changed by nobody without asking`
    }
  }
  return null
}
