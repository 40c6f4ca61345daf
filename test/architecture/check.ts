import { directions } from './directions.ts'
import { layout } from './layout.ts'
import { purity } from './purity.ts'
import type { Code, CodeRule, Finding, House, TextRule } from './rule.ts'
import { importsOf, parse, type Source } from './source.ts'

export interface Violation {
  rule: string
  /** `path:line: what is wrong`, as an editor can open it. */
  text: string
}

export const codeRules: Record<string, CodeRule> = { ...directions, ...purity }
export const textRules: Record<string, TextRule> = layout
export const ruleNames = [...Object.keys(codeRules), ...Object.keys(textRules)]

export function violations(sources: Source[], house: House): Violation[] {
  return sources.flatMap(source => {
    const found = apply(textRules, source, house)
    if (isCode(source.path)) found.push(...apply(codeRules, read(source), house))
    return found
  })
}

/** Programs and recordings that the tests feed to the house are not part of it. */
function isCode(path: string): boolean {
  return /\.(ts|tsx|js|mjs|cjs)$/.test(path) && !path.startsWith('test/fixtures/')
}

function read(source: Source): Code {
  const tree = parse(source)
  return { ...source, tree, imports: importsOf(source, tree) }
}

function apply<T extends Source>(
  rules: Record<string, (subject: T, house: House) => Finding[]>,
  subject: T,
  house: House,
): Violation[] {
  return Object.entries(rules).flatMap(([rule, check]) =>
    check(subject, house).map(({ line, text }) => ({
      rule,
      text: `${subject.path}${line ? `:${line}` : ''}: ${text}`,
    })),
  )
}
