import { isPlainlyInside, readRules, writeRules } from '../../adapters/rules-file.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { Answer, AuditEntry, Face } from '../../contract/question.ts'
import { parseRule, type Rule, type RuleEffect, type RuleScope, ruleText } from '../../contract/rule.ts'
import { decide } from '../../core/inbox/rules/decide.ts'
import type { PermissionRequest } from '../../core/inbox/rules/permission.ts'
import { suggestRules } from '../../core/inbox/rules/suggest.ts'
import type { Disk } from '../../ports.ts'
import type { Asked } from './inbox.ts'

export type RuleVerdict = { effect: 'allow' | 'deny' | 'ask'; rule: string | null; why: string }

type Outside = {
  path: string
  disk: Disk
  now(): number
  userHome: string
  stateHome: string
  log(line: string): void
  write(entry: AuditEntry): Promise<void>
}

/** Rules that an answer is to become. */
type Plan = { texts: string[]; effect: 'allow' | 'deny'; scope: RuleScope }

/** The rules of this user, and what they say about a request. */
export class Rules {
  readonly #outside: Outside
  #rules: Rule[] = []
  #next = 1
  #fault: string | null = null

  constructor(outside: Outside) {
    this.#outside = outside
  }

  async load(): Promise<void> {
    const { file, fault } = await readRules(this.#outside.path, this.#outside.disk)
    this.#rules = file.rules
    this.#next = file.next
    this.#fault = fault
    if (fault) this.#outside.log(fault)
  }

  list(): (Rule & { text: string })[] {
    return this.#rules.map(rule => ({ ...rule, text: ruleText(rule) }))
  }

  /** Paths are compared as text by the rules; before an allow is acted on, the disk must agree. */
  async judge(request: {
    tool: string
    input: Record<string, unknown>
    project: string
    cwd: string
    run: string | null
  }): Promise<RuleVerdict> {
    const { effect, rule, why, paths } = decide(this.#requestOf(request), this.#rules)
    if (effect === 'allow') {
      for (const path of paths) {
        if (!(await isPlainlyInside(path, request.project)))
          return { effect: 'ask', rule: null, why: `a link makes ${path} something else` }
      }
    }
    return { effect, rule, why }
  }

  async add(typed: string, effect: RuleEffect, scope: RuleScope, face: Face): Promise<Rule> {
    this.#refuseBroken()
    const same = this.#same(parseRule(typed), effect, scope)
    if (same) return same
    const addedAt = new Date(this.#outside.now()).toISOString()
    const rule: Rule = { ...parseRule(typed), id: `r${this.#next}`, effect, scope, addedAt, addedBy: face }
    const rules = [...this.#rules, rule]
    await writeRules(this.#outside.path, this.#outside.disk, this.#next + 1, rules)
    this.#rules = rules
    this.#next += 1
    await this.#note('rule-added', rule, face)
    return rule
  }

  /** Several questions that are answered at once may ask for the same: one rule says it. */
  #same(rule: ReturnType<typeof parseRule>, effect: RuleEffect, scope: RuleScope): Rule | null {
    const wanted = JSON.stringify([ruleText(rule), effect, scope])
    return this.#rules.find(known => JSON.stringify([ruleText(known), known.effect, known.scope]) === wanted) ?? null
  }

  async remove(id: string, face: Face): Promise<Rule> {
    const rule = this.#rules.find(known => known.id === id)
    if (!rule) throw new RehoboamError('rule-unknown', `there is no rule "${id}"; rehoboam rules list shows them`)
    const rules = this.#rules.filter(known => known.id !== id)
    await writeRules(this.#outside.path, this.#outside.disk, this.#next, rules)
    this.#rules = rules
    await this.#note('rule-removed', rule, face)
    return rule
  }

  /** "Always": the narrowest rules that would have answered this question the same way. */
  plan(question: Asked, answer: Answer, always: 'run' | 'project' | 'always'): Plan {
    this.#refuseBroken()
    if (question.kind !== 'permission' || answer.kind === 'text')
      throw new RehoboamError('usage', 'only a permission can become a rule')
    const scope = scopeOf(question, always)
    const { match, run, project, cwd } = question
    const request = this.#requestOf({ tool: match.tool, input: JSON.parse(match.input), project, cwd, run })
    const texts = suggestRules(request, answer.kind)
    if (!texts) throw new RehoboamError('no-rule', 'no rule would match this safely; answer it without --always')
    return { texts, effect: answer.kind, scope }
  }

  async addAll({ texts, effect, scope }: Plan, face: Face): Promise<string[]> {
    const added: string[] = []
    for (const text of texts) added.push(ruleText(await this.add(text, effect, scope, face)))
    return added
  }

  #refuseBroken(): void {
    if (this.#fault) throw new RehoboamError('rules-broken', `${this.#fault}; mend or remove the file first`)
  }

  #requestOf({
    tool,
    input,
    project,
    cwd,
    run,
  }: {
    tool: string
    input: unknown
    project: string
    cwd: string
    run: string | null
  }): PermissionRequest {
    const { userHome: home, stateHome: state } = this.#outside
    return { tool, input, project, cwd, run, home, state }
  }

  #note(what: 'rule-added' | 'rule-removed', rule: Rule, by: Face): Promise<void> {
    const at = new Date(this.#outside.now()).toISOString()
    const text = `${rule.effect} ${ruleText(rule)}`
    return this.#outside.write({
      at,
      what,
      question: null,
      agent: null,
      run: null,
      text,
      answer: null,
      by,
      rule: rule.id,
    })
  }
}

function scopeOf(question: Asked, always: 'run' | 'project' | 'always'): RuleScope {
  if (always === 'always') return { kind: 'always' }
  if (always === 'project') return { kind: 'project', project: question.project }
  if (question.run === null)
    throw new RehoboamError('usage', 'this session is not of a run; --for-project or --always instead')
  return { kind: 'run', run: question.run }
}
