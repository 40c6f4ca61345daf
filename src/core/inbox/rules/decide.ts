import { type Rule, SHELL_TOOLS } from '../../../contract/rule.ts'
import { judgeFetch } from './fetch-tool.ts'
import { judgeFileTool } from './file-tool.ts'
import { type Ground, groundOf } from './ground.ts'
import { namesTool, type RulesInForce, rulesInForce } from './in-force.ts'
import { asks, type Decision, type Finding, type PermissionRequest, shown, together } from './permission.ts'
import { judgeShellTool } from './shell/shell-tool.ts'

/**
 * What the rules say about a request. Deny wins over allow, allow over ask; what is not understood is asked.
 * The price of being wrong is a command that nobody allowed, so every doubt ends in a question, never in an allow.
 */
export function decide(request: PermissionRequest, rules: readonly Rule[]): Decision {
  const held = rulesInForce(request, rules)
  const ground = groundOf(request)
  if (ground === null) return together([...deniedByName(request.tool, held), asks('its directories are not known')])
  return together(judge(request, held, ground))
}

function judge({ tool, input }: PermissionRequest, rules: RulesInForce, ground: Ground): Finding[] {
  // A person's answer is what it is for. A rule for it cannot be written; one by hand does nothing.
  if (tool === 'AskUserQuestion') return [asks('it is a question to a person')]
  if (SHELL_TOOLS.includes(tool)) return judgeShellTool(tool, input, rules, ground)
  if (tool === 'WebFetch') return judgeFetch(input, rules)
  return judgeFileTool(tool, input, rules, ground) ?? judgeByName(tool, rules)
}

function judgeByName(tool: string, rules: RulesInForce): Finding[] {
  const denied = deniedByName(tool, rules)
  if (denied.length > 0) return denied
  const allowed = rules.allow.find(rule => rule.pattern === null && namesTool(rule, tool))
  if (allowed) return [{ effect: 'allow', rule: allowed.id, why: `rule ${allowed.id} allows ${shown(tool)}` }]
  const asked = rules.ask.find(rule => namesTool(rule, tool))
  if (asked) return [asks(`rule ${asked.id} asks before ${shown(tool)}`, asked.id)]
  return [asks(`no rule matches ${shown(tool)}`)]
}

function deniedByName(tool: string, rules: RulesInForce): Finding[] {
  const denied = rules.deny.find(rule => rule.pattern === null && namesTool(rule, tool))
  return denied ? [{ effect: 'deny', rule: denied.id, why: `rule ${denied.id} denies ${shown(tool)}` }] : []
}
