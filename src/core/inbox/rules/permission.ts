import type { RuleEffect } from '../../../contract/rule.ts'

/** What a session asks leave for, as its client reported it, and where it stands. All paths are absolute. */
export type PermissionRequest = {
  tool: string
  /** As the client gave it: nothing in it is trusted to have a shape. */
  input: unknown
  /** The project that scopes name. */
  project: string
  /** Where it works when that is not the project's own directory: the worktree. "Inside the project" means here. */
  root?: string | undefined
  cwd: string
  run: string | null
  /** The user's home directory, which `~` means. */
  home: string
  /** Our own directory, $REHOBOAM_HOME: nothing in it is changed by a rule. */
  state?: string | undefined
}

export type Decision = {
  effect: RuleEffect
  /** The rule that decided; of several that allowed together, the first. */
  rule: string | null
  /** One sentence for a person. */
  why: string
  /**
   * The files and directories that an allow rests on. Paths are compared as text here, so before an allow is acted on,
   * somebody with a disk must see that none of them, from the project downwards, goes through a symbolic link.
   */
  paths: string[]
}

/** What was found about one part of a request: one simple command, one redirection, one file. */
export type Finding = { effect: RuleEffect; rule: string | null; why: string; paths?: string[] }

export function asks(why: string, rule: string | null = null): Finding {
  return { effect: 'ask', rule, why }
}

/** Deny wins; then everything must be allowed; what nothing was found about is asked. */
export function together(findings: readonly Finding[]): Decision {
  const denied = findings.find(({ effect }) => effect === 'deny')
  if (denied) return { effect: 'deny', rule: denied.rule, why: denied.why, paths: [] }
  const asked = findings.find(({ effect }) => effect === 'ask')
  if (asked) return { effect: 'ask', rule: asked.rule, why: asked.why, paths: [] }
  const first = findings[0]
  if (first === undefined) return { effect: 'ask', rule: null, why: 'no rule matches it', paths: [] }
  const paths = findings.flatMap(each => each.paths ?? [])
  return { effect: 'allow', rule: first.rule, why: list(findings.map(({ why }) => why)), paths: [...new Set(paths)] }
}

// A sentence, not a page: the audit log has the command itself.
const MOST_REASONS = 3

function list(reasons: string[]): string {
  const different = [...new Set(reasons)]
  const more = different.length - MOST_REASONS
  return different.slice(0, MOST_REASONS).join(', ') + (more > 0 ? `, and ${more} more` : '')
}

const SHOWN_LENGTH = 80

/** Words that an agent wrote, short and harmless to print. */
export function shown(text: string): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+/gu, ' ').trim()
  return plain.length <= SHOWN_LENGTH ? plain : `${plain.slice(0, SHOWN_LENGTH - 1)}…`
}
