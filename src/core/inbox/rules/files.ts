import { FILE_TOOLS, type Rule } from '../../../contract/rule.ts'
import { globMatches } from './glob.ts'
import { below, folded, type Ground, isInside, pathFrom } from './ground.ts'
import type { RulesInForce } from './in-force.ts'
import { keptPlace } from './kept-places.ts'
import { asks, type Finding, shown } from './permission.ts'

export type FileUse = 'Write' | 'Edit' | 'Read'

/** One file that is read or changed, by a tool or by a redirection. */
export function judgeFile(use: FileUse, path: string | null, rules: RulesInForce, ground: Ground): Finding {
  const denies = (rule: Rule) => (path === null ? rule.pattern === null : covers(rule, path, ground))
  const denied = rules.deny.find(rule => speaksOf(rule, use) && denies(rule))
  if (denied) {
    return { effect: 'deny', rule: denied.id, why: `rule ${denied.id} denies ${doing(use)} ${name(path, ground)}` }
  }
  if (path === null) return asks(`which file it would ${use.toLowerCase()} cannot be said`)
  const nearly = rules.deny.find(rule => speaksOf(rule, use) && coversNearly(rule, path, ground))
  if (nearly) return asks(`rule ${nearly.id} denies a file whose name differs from ${name(path, ground)} only in case`)
  if (!isInside(path, ground.root)) return asks(`${name(path, ground)} is outside the project`)
  const kept = use === 'Read' ? null : keptPlace(path, ground)
  if (kept !== null) return asks(`${shown(kept)} is changed by nobody without asking`)
  const allowed = rules.allow.find(rule => speaksOf(rule, use) && covers(rule, path, ground))
  if (allowed) {
    const why = `rule ${allowed.id} allows ${doing(use)} ${name(path, ground)}`
    return { effect: 'allow', rule: allowed.id, why, paths: [path] }
  }
  const asked = rules.ask.find(rule => speaksOf(rule, use) && covers(rule, path, ground))
  if (asked) return asks(`rule ${asked.id} asks before ${doing(use)} ${name(path, ground)}`, asked.id)
  return asks(`no rule matches ${doing(use)} ${name(path, ground)}`)
}

/** A rule that denies files by name, made ready to be held against many: its patterns, whole and folded. */
export type NamedDenial = { id: string; globs: string[] }

export function namedDenials({ deny }: RulesInForce, ground: Ground): NamedDenial[] {
  return deny
    .filter(({ tool, pattern }) => FILE_TOOLS.includes(tool) && pattern !== null)
    .map(({ id, pattern }) => ({ id, globs: denyingGlobs(pattern!, ground).map(folded) }))
}

/** The one of them that speaks of this file, or null. */
export function denialOf(path: string, denials: readonly NamedDenial[]): string | null {
  const plain = folded(path)
  return denials.find(({ globs }) => globs.some(glob => globMatches(glob, plain, true)))?.id ?? null
}

/** Who may write a file may edit it. A rule that denies the one denies the other: they end in the same file. */
function speaksOf({ tool, effect }: Rule, use: FileUse): boolean {
  if (use === 'Read') return tool === 'Read'
  return tool === 'Write' || (tool === 'Edit' && (use === 'Edit' || effect === 'deny'))
}

function covers({ effect, pattern }: Rule, path: string, ground: Ground): boolean {
  if (pattern === null) return true
  if (effect === 'deny') return denyingGlobs(pattern, ground).some(glob => globMatches(glob, path, true))
  const whole = wholePattern(pattern, ground)
  return whole !== null && globMatches(whole, path, false)
}

function coversNearly({ pattern }: Rule, path: string, ground: Ground): boolean {
  const plain = folded(path)
  return pattern !== null && denyingGlobs(pattern, ground).some(glob => globMatches(folded(glob), plain, true))
}

/** Allowing, a pattern begins at the project. Denying, one without a slash means the name anywhere, and all below it. */
function denyingGlobs(pattern: string, ground: Ground): string[] {
  const whole = wholePattern(pattern, ground) ?? '/**'
  const anywhere = /^[^/~]+\/?$/.test(pattern) ? [`/**/${pattern.replace(/\/$/, '')}`] : []
  return [whole, ...anywhere].flatMap(each => [each, `${each}/**`])
}

function wholePattern(pattern: string, ground: Ground): string | null {
  const directory = pattern.endsWith('/') ? `${pattern}**` : pattern
  return pathFrom(ground.root, directory, ground)
}

function doing(use: FileUse): string {
  return { Write: 'writing', Edit: 'editing', Read: 'reading' }[use]
}

function name(path: string | null, { root }: Ground): string {
  if (path === null) return 'a file'
  return shown(isInside(path, root) ? below(path, root) || '.' : path)
}
