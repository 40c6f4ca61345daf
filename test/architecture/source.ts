import { parseSync } from 'vite'

export interface Source {
  /** Relative to the repository, with forward slashes. */
  path: string
  text: string
}

export interface Import {
  /** undefined: computed at run time, so that nobody can check it. */
  specifier: string | undefined
  how: 'static' | 'dynamic'
  line: number
}

export interface Use {
  name: string
  line: number
}

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

export interface Visit {
  node: Node
  parent: Node | undefined
  /** The parent's field in which the node stands. */
  field: string
}

/** A real parser (the one in vite), because type-only imports count and text in strings and comments does not. */
export function parse(source: Source): Visit[] {
  const { program, errors } = parseSync(source.path, source.text, { sourceType: 'module' })
  if (errors.length > 0) throw new Error(`${source.path} does not parse: ${errors[0]?.message}`)
  return [...visits(program as unknown as Node, undefined, '')]
}

/** import, import type, export from, import(), import('x').T, import x = require(), require(). */
export function importsOf(source: Source, tree = parse(source)): Import[] {
  return tree.flatMap(({ node }) => {
    const found = importIn(node)
    return found ? [{ ...found, line: lineOf(source, node) }] : []
  })
}

/** Names that are read or declared, but not those after a dot or before a colon: `event.process` is no `process`. */
export function namesUsed(source: Source, tree = parse(source)): Use[] {
  return tree
    .filter(visit => visit.node.type === 'Identifier' && !isLabel(visit))
    .map(({ node }) => ({ name: String(node.name), line: lineOf(source, node) }))
}

export function lineOf(source: Source, node: Node): number {
  return source.text.slice(0, node.start).split('\n').length
}

function importIn(node: Node): Omit<Import, 'line'> | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'TSImportType':
      return { specifier: literal(node.source), how: 'static' }
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.source ? { specifier: literal(node.source), how: 'static' } : undefined
    case 'TSExternalModuleReference':
      return { specifier: literal(node.expression), how: 'static' }
    case 'ImportExpression':
      return { specifier: literal(node.source), how: 'dynamic' }
    case 'CallExpression':
      return isRequire(node) ? { specifier: literal((node.arguments as unknown[])[0]), how: 'static' } : undefined
    default:
      return undefined
  }
}

function isRequire(node: Node): boolean {
  const callee = node.callee as Node
  return callee.type === 'Identifier' && callee.name === 'require'
}

function literal(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value
  if (value.type !== 'TemplateLiteral' || (value.expressions as unknown[]).length > 0) return undefined
  return (value.quasis as { value: { cooked: string } }[])[0]?.value.cooked
}

function isLabel({ parent, field }: Visit): boolean {
  if (!parent) return false
  if (field === 'property') return parent.type === 'MemberExpression' && parent.computed !== true
  if (field === 'key') return parent.computed !== true
  if (field === 'right') return parent.type === 'TSQualifiedName'
  return field === 'label' || field === 'imported' || field === 'exported'
}

function* visits(node: Node, parent: Node | undefined, field: string): Generator<Visit> {
  yield { node, parent, field }
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* visits(child, node, name)
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
