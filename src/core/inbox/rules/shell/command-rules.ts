import { type CommandPattern, commandPattern, type Rule } from '../../../../contract/rule.ts'
import { type NamedDenial, namedDenials } from '../files.ts'
import { folded, type Ground } from '../ground.ts'
import type { RulesInForce } from '../in-force.ts'

/** A rule for commands, read once for all commands of a request. */
export type CommandRule = { id: string; tool: string; pattern: CommandPattern | null }

export type CommandRules = {
  allow: CommandRule[]
  ask: CommandRule[]
  /** By the name of the program, folded and without its directory: most commands meet no denial at all. */
  deny: Map<string, CommandRule[]>
  /** Denials of files, which a command may name among its arguments. */
  files: NamedDenial[]
}

/** Rules for Bash that deny or ask hold for every tool that runs commands; those that allow only for their own. */
export function commandRules(tool: string, rules: RulesInForce, ground: Ground): CommandRules {
  const strict = (rule: Rule) => rule.tool === tool || rule.tool === 'Bash'
  return {
    allow: rules.allow.filter(rule => rule.tool === tool).map(read),
    ask: rules.ask.filter(strict).map(read),
    deny: Map.groupBy(rules.deny.filter(strict).map(read), ({ pattern }) => denialKey(pattern?.words[0] ?? '')),
    files: namedDenials(rules, ground),
  }
}

/** The key under which a program's denials are found. Rules without a pattern are under ''. */
export function denialKey(name: string): string {
  return folded(name.slice(name.lastIndexOf('/') + 1))
}

function read({ id, tool, pattern }: Rule): CommandRule {
  return { id, tool, pattern: pattern === null ? null : commandPattern(pattern) }
}
