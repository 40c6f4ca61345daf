import { resolve } from 'node:path'
import { Command } from 'commander'
import { RehoboamError } from '../../contract/errors.ts'
import type { Rule, RuleScope } from '../../contract/rule.ts'
import { plainLine } from '../../view/plain.ts'
import { table } from '../../view/run-words.ts'
import type { Face } from '../face.ts'

// Loaded when it is wanted: no other command pays for its shapes.
const words = () => import('../../contract/rule.ts')

type Options = { json?: boolean; project?: boolean | string; run?: string }

export function rulesCommand(face: Face): Command {
  const rules = new Command('rules').description('what agents may do without asking you, and what never')
  rules
    .command('list')
    .description('every rule')
    .option('--json', 'for scripts')
    .action(({ json }: Options) => list(face, json))
  rules
    .command('add')
    .description('add a rule')
    .argument('<effect>', 'allow, deny or ask')
    .argument('<rule>', 'e.g. "Bash(npm test *)", "Edit(src/**)", "WebFetch(domain:example.com)"')
    .option('--project [directory]', 'only in this project (default: this directory)')
    .option('--run <id>', 'only in this run')
    .option('--json', 'for scripts')
    .addHelpText(
      'after',
      '\nExamples:\n  rehoboam rules add allow "Bash(git status *)"\n  rehoboam rules add deny "Bash(git push *)" --project',
    )
    .action((effect: string, text: string, options: Options) => add(face, effect, text, options))
  rules
    .command('rm')
    .description('take a rule away')
    .argument('<id>')
    .option('--json', 'for scripts')
    .action(async (id: string, { json }: Options) => {
      await face.mayDecide('rules rm', null)
      const rule = await face.daemon.decide<Rule>({
        method: 'POST',
        path: '/v1/rules/remove',
        body: { id, face: 'cli' },
      })
      const { ruleText } = await words()
      if (json) face.out.json(rule)
      else face.out.line(`rule ${rule.id} is gone: ${rule.effect} ${plainLine(ruleText(rule))}`)
    })
  return rules
}

async function list(face: Face, json: boolean | undefined): Promise<void> {
  const rules = await face.daemon.ask<Rule[]>({ path: '/v1/rules' })
  if (json) return face.out.json(rules)
  if (rules.length === 0) return face.out.line('no rules: every permission is asked; rehoboam rules add --help')
  const { ruleText } = await words()
  const rows = rules.map(rule => [rule.id, rule.effect, plainLine(ruleText(rule)), scopeWords(rule.scope)])
  for (const line of table([['id', 'effect', 'rule', 'where'], ...rows])) face.out.line(line)
}

async function add(face: Face, effect: string, text: string, options: Options): Promise<void> {
  await face.mayDecide('rules add', null)
  if (!['allow', 'deny', 'ask'].includes(effect))
    throw new RehoboamError('usage', `"${plainLine(effect)}" is not allow, deny or ask`)
  const { parseRule, ruleText } = await words()
  parseRule(text)
  const body = { text, effect, scope: scopeOf(options), face: 'cli' }
  const rule = await face.daemon.decide<Rule & { note: string | null }>({ method: 'POST', path: '/v1/rules', body })
  if (rule.note) face.out.note(`note: ${plainLine(rule.note, 300)}`)
  if (options.json) face.out.json(rule)
  else face.out.line(`rule ${rule.id}: ${rule.effect} ${plainLine(ruleText(rule))}, ${scopeWords(rule.scope)}`)
}

function scopeOf({ project, run }: Options): RuleScope {
  if (run !== undefined) return { kind: 'run', run }
  if (project) return { kind: 'project', project: resolve(project === true ? '.' : project) }
  return { kind: 'always' }
}

function scopeWords(scope: RuleScope): string {
  if (scope.kind === 'always') return 'everywhere'
  return scope.kind === 'project' ? `in ${plainLine(scope.project)}` : `in run ${scope.run}`
}
