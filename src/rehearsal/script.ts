import { promptFields, textOf } from './prompt-line.ts'
import type { Question } from './request.ts'
import type { Reply, Rule, Scenario, When } from './scenario.ts'

/** The rules with how often each has answered. Rules may be put in while the model runs. */
export class Script {
  private rules: { rule: Rule; used: number }[]

  constructor(scenario: Scenario) {
    this.rules = scenario.rules.map(rule => ({ rule, used: 0 }))
  }

  replyTo(question: Question): Reply | undefined {
    const found = this.rules.find(r => r.used < (r.rule.times ?? Infinity) && matches(r.rule.when, question))
    if (!found) return undefined
    found.used += 1
    return withPlaces(found.rule.reply, question)
  }

  /** Before all others, so that what is said now overrules what was said before. */
  addFirst(rules: Rule[]): void {
    this.rules.unshift(...rules.map(rule => ({ rule, used: 0 })))
  }

  addLast(rules: Rule[]): void {
    this.rules.push(...rules.map(rule => ({ rule, used: 0 })))
  }

  replace(rules: Rule[]): void {
    this.rules = rules.map(rule => ({ rule, used: 0 }))
  }
}

function matches(when: When, question: Question): boolean {
  if ((when.side ?? false) !== question.side) return false
  if (when.turn !== undefined && when.turn !== question.turn) return false
  if (when.prompt !== undefined && !new RegExp(when.prompt, 'm').test(textOf(question.prompt))) return false
  return promptFields.every(name => when[name] === undefined || when[name] === question.line[name])
}

/** `{{cwd}}` and the first line's names, in every string of the reply: Write wants absolute paths. */
function withPlaces(reply: Reply, question: Question): Reply {
  const places: Record<string, string | undefined> = { cwd: question.cwd, ...question.line }
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(/\{\{(\w+)\}\}/g, (all, name) => places[name] ?? all)
    if (Array.isArray(value)) return value.map(fill)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]))
  }
  return fill(reply) as Reply
}
