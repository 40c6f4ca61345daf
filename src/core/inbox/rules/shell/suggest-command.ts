import { ruleWord } from '../../../../contract/rule.ts'
import { programName } from './name.ts'
import { runnerPrefix } from './runners.ts'
import { goesDeeper, hasSubcommands, passFlags } from './subcommands.ts'
import type { ShellWord } from './word.ts'
import { LOOKING } from './wrappers.ts'

// After these, other arguments are another deed. A rule for them repeats exactly what was asked.
const CAREFUL = new Set(
  [
    'git push reset clean rebase branch tag checkout restore rm stash worktree remote filter-repo gc',
    'npm publish unpublish deprecate owner access install i add exec',
    'pnpm publish add install dlx exec',
    'yarn publish add dlx',
    'cargo publish install yank',
    'docker run exec rm rmi push system',
    'kubectl delete apply exec drain scale',
    'gh release repo secret api auth',
    'terraform apply destroy',
  ].flatMap(line => {
    const [program, ...subcommands] = line.split(' ')
    return subcommands.map(each => `${program} ${each}`)
  }),
)

/** The pattern for commands like this one; null when no rule can say it. */
export function suggestForCommand(words: readonly ShellWord[]): string | null {
  const first = words[0]!
  const name = programName(first)
  if (hasSubcommands(first)) return forSubcommand(name, words)
  const prefix = runnerPrefix(words)
  if (prefix > 0) return written(words.slice(0, prefix + 1), true)
  if (LOOKING.has(name)) return written([first], true)
  return written(words, false)
}

function forSubcommand(name: string, words: readonly ShellWord[]): string | null {
  const at = passFlags(words, 1)
  const subcommand = words[at]
  if (subcommand?.value == null || CAREFUL.has(`${name} ${subcommand.value}`)) return written(words, false)
  const runner = runnerPrefix(words)
  const deeper = goesDeeper(name, subcommand.value) && words[at + 1]?.value != null ? 1 : 0
  const end = Math.max(at + 1 + deeper, runner > 0 ? runner + 1 : 0)
  return written([words[0]!, ...words.slice(at, end)], true)
}

function written(words: readonly ShellWord[], rest: boolean): string | null {
  const texts = words.map(({ value }) => (value === null ? null : ruleWord(value)))
  return texts.includes(null) ? null : texts.join(' ') + (rest ? ' *' : '')
}
