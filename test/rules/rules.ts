import { parseRule, type Rule, type RuleScope } from '../../src/contract/rule.ts'
import type { PermissionRequest } from '../../src/core/inbox/rules/permission.ts'

/** `deny Bash(rm *)`; without an effect it allows. Ids are r1, r2, ... in this order. */
export function rules(...texts: string[]): Rule[] {
  return texts.map((text, index) => ruleOf(text, `r${index + 1}`))
}

export function ruleOf(text: string, id: string, scope: RuleScope = { kind: 'always' }): Rule {
  const [, effect = 'allow', typed = ''] = /^(?:(allow|deny|ask) )?(.*)$/s.exec(text) ?? []
  const addedAt = '2026-01-02T03:04:05.000Z'
  return { ...parseRule(typed), id, effect: effect as Rule['effect'], scope, addedAt, addedBy: 'cli' }
}

export const PROJECT = '/home/ann/shop'

export function asked(tool: string, input: unknown, more: Partial<PermissionRequest> = {}): PermissionRequest {
  const state = '/home/ann/.local/state/rehoboam'
  return { tool, input, project: PROJECT, cwd: PROJECT, run: 'abcd1234', home: '/home/ann', state, ...more }
}

export function bash(command: string, more: Partial<PermissionRequest> = {}): PermissionRequest {
  return asked('Bash', { command }, more)
}
