import { commandPattern, type RuleText, SHELL_TOOLS } from '../../../contract/rule.ts'
import { askedAnyway } from './shell/asked-anyway.ts'
import { runnerPrefix } from './shell/runners.ts'
import type { ShellWord } from './shell/word.ts'

/**
 * Why a rule that allows this would never allow anything, or null: to be said when it is added, because a rule that
 * silently does nothing is found out at night.
 */
export function vainBecause({ tool, pattern }: RuleText): string | null {
  if (!SHELL_TOOLS.includes(tool) || pattern === null) return null
  const { words, rest } = commandPattern(pattern)
  const name = words.join(' ')
  if (rest && words.length === runnerPrefix(words.map(asWord))) {
    return `${name} runs any program: say which, as in ${tool}(${name} PROGRAM *)`
  }
  const reasons = (rest ? TAILS : [[]]).map(tail => askedAnyway([...words, ...tail].map(asWord), PLACE))
  return reasons.includes(null) ? null : reasons[0]!
}

// Arguments that harmless programs take: where one of them would be allowed, the rule is of use.
const TAILS = [[], ['file'], ['-f', 'file'], ['-f', 'file', ']'], ['p']]

const PLACE = { directories: ['/p'], ground: { root: '/p', cwd: '/p', home: '/', state: null } }

function asWord(value: string): ShellWord {
  return { text: value, value, guess: value, splits: false, start: value }
}
