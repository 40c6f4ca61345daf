import type { Rule, RuleEffect } from '../../../contract/rule.ts'
import { plainPath } from './ground.ts'
import type { PermissionRequest } from './permission.ts'

/** The rules whose scope takes in the request, by what they do, in the order in which they were added. */
export type RulesInForce = Record<RuleEffect, Rule[]>

export function rulesInForce(request: PermissionRequest, rules: readonly Rule[]): RulesInForce {
  const holding = rules.filter(rule => holds(rule, request))
  return {
    allow: holding.filter(({ effect }) => effect === 'allow'),
    deny: holding.filter(({ effect }) => effect === 'deny'),
    ask: holding.filter(({ effect }) => effect === 'ask'),
  }
}

function holds({ scope }: Rule, { project, run }: PermissionRequest): boolean {
  switch (scope.kind) {
    case 'always':
      return true
    case 'project':
      return scope.project === plainPath(project)
    case 'run':
      return run !== null && (run === scope.run || run.startsWith(`${scope.run}.`))
  }
}

/** `mcp__server` and `mcp__server__*` mean all tools of that server. */
export function namesTool(rule: Rule, tool: string): boolean {
  if (rule.tool === tool) return true
  const server = /^(mcp__.+?)(?:__\*)?$/.exec(rule.tool)?.[1]
  if (server === undefined || !tool.startsWith(`${server}__`)) return false
  // `mcp__a` and the tool mcp__a__b__c: a tool b__c of a, or a tool c of a server a__b? Only a deny may guess.
  if (rule.effect !== 'deny' && tool.slice(server.length + 2).includes('__')) return false
  return rule.tool.endsWith('__*') || !server.slice('mcp__'.length).includes('__')
}
