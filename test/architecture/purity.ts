import { type Code, type CodeRule, type Finding, roomOf } from './rule.ts'
import { impureNames, nodeNames, rooms } from './rules.ts'
import { lineOf, namesUsed, type Visit } from './source.ts'

/** core decides by (state, event) alone; the browser's rooms keep off Node's globals. */
export const purity: Record<string, CodeRule> = {
  'core-pure-names': code => (roomOf(code.path) === 'core' ? uses(code, impureNames, 'core is pure: no ') : []),

  'core-pure-syntax': code =>
    roomOf(code.path) === 'core'
      ? code.tree.flatMap(visit => impure(visit).map(text => ({ line: lineOf(code, visit.node), text })))
      : [],

  'browser-safe-names': code => {
    const room = roomOf(code.path)
    if (!room || room === 'core' || !rooms[room]?.browser) return []
    return uses(code, nodeNames, `${room} runs in a browser too: no `)
  },
}

function uses(code: Code, names: string[], before: string): Finding[] {
  return namesUsed(code, code.tree)
    .filter(({ name }) => names.includes(name))
    .map(({ name, line }) => ({ line, text: `${before}${name}` }))
}

function impure({ node, parent }: Visit): string[] {
  if (node.type === 'AwaitExpression' || node.await === true) return ['core is pure: no await']
  if (node.async === true) return ['core is pure: no async']
  if (node.type === 'ImportExpression') return ['core is pure: no import()']
  if (isRandom(node)) return ['core is pure: no Math.random']
  if (isModuleVariable(node, parent)) return [`core keeps nothing between events: no ${node.kind} at the top of a file`]
  return []
}

function isRandom(node: Visit['node']): boolean {
  if (node.type !== 'MemberExpression') return false
  const { object, property } = node as unknown as Record<'object' | 'property', { name?: string; value?: unknown }>
  return object.name === 'Math' && (property.name === 'random' || property.value === 'random')
}

function isModuleVariable(node: Visit['node'], parent: Visit['parent']): boolean {
  if (node.type !== 'VariableDeclaration' || node.kind === 'const' || node.declare === true) return false
  return parent?.type === 'Program' || parent?.type === 'ExportNamedDeclaration'
}
