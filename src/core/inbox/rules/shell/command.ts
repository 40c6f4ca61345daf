import { pathFrom } from '../ground.ts'
import { asks, type Finding, shown } from '../permission.ts'
import { allows, type Place } from './allow.ts'
import { askedAnyway } from './asked-anyway.ts'
import { type CommandRule, type CommandRules, denialKey } from './command-rules.ts'
import { denies } from './deny.ts'
import { guardedArgument } from './guarded-argument.ts'
import { commandsIn } from './inside.ts'
import { programName, spoken } from './name.ts'
import { runnerPrefix } from './runners.ts'
import { directoryAt } from './subcommands.ts'
import type { ShellWord } from './word.ts'

/** One simple command: denied, else asked whatever the rules say, else as they say. */
export function judgeCommand(words: ShellWord[], rules: CommandRules, place: Place): Finding {
  const denied = deniedBy(words, rules.deny)
  if (denied) return denied
  const why = askedAnyway(words, place)
  if (why !== null) return asks(shown(why))
  const allowed = rules.allow.find(rule => matches(rule, words, place))
  if (allowed) {
    const guarded = isExact(allowed) ? null : guardedArgument(words, place, rules.files)
    if (guarded !== null) return asks(shown(guarded))
    const why = `rule ${allowed.id} allows ${shown(named(allowed, words))}`
    return { effect: 'allow', rule: allowed.id, why, paths: placesOf(words, place) }
  }
  const asked = rules.ask.find(rule => matches(rule, words, place))
  if (asked) return asks(`rule ${asked.id} asks before ${shown(brief(words))}`, asked.id)
  return asks(`no rule matches ${shown(spoken(words))}`)
}

/** The first denial of it, or of what can be seen inside it; an ask when it depends on what cannot. */
export function deniedBy(words: ShellWord[], rules: CommandRules['deny']): Finding | null {
  if (rules.size === 0) return null
  let maybe: string | null = null
  for (const command of commandsIn(words)) {
    for (const { id, pattern } of rules.get(denialKey(programName(command[0]!))) ?? []) {
      const denial = pattern === null ? 'no' : denies(pattern, command)
      if (denial === 'yes') return { effect: 'deny', rule: id, why: `rule ${id} denies ${pattern!.words.join(' ')}` }
      if (denial === 'maybe') maybe ??= id
    }
  }
  return maybe === null ? null : asks(`rule ${maybe} may deny it: what ${shown(brief(words))} would do cannot be seen`)
}

function matches({ pattern }: CommandRule, words: ShellWord[], place: Place): boolean {
  // `Bash` alone is any command, but, like `npx *`, it does not say which program a runner may run.
  return pattern === null ? runnerPrefix(words) === 0 : allows(pattern, words, place)
}

function isExact({ pattern }: CommandRule): boolean {
  return pattern !== null && !pattern.rest
}

/** Where it runs, and where its flags say that it works. */
function placesOf(words: ShellWord[], { directories, ground }: Place): string[] {
  const named = words.flatMap((_, at) => directoryAt(words, at) ?? [])
  const whole = named.flatMap(path => directories.map(directory => pathFrom(directory, path, ground)))
  return [...directories, ...whole.filter(path => path !== null)]
}

function named({ pattern }: CommandRule, words: ShellWord[]): string {
  return pattern === null ? brief(words) : pattern.words.join(' ')
}

// "git status", not every argument: the question itself shows the whole command.
function brief(words: ShellWord[]): string {
  return spoken(words.slice(0, 2))
}
