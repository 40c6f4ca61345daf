import { posix } from 'node:path'
import type { TextRule } from './rule.ts'
import { emptyNames, LINE_LIMIT, machineText } from './rules.ts'

/** What holds for files as text: their size, their names, and that what they say is true, on every machine. */
export const layout: Record<string, TextRule> = {
  'file-size': ({ path, text }) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
    if (!isOurs(path) || !/\.(ts|tsx|mjs|css|html|md)$/.test(path) || lines <= LINE_LIMIT) return []
    return [{ text: `${lines} lines; above ${LINE_LIMIT} it holds more than one concept` }]
  },

  'file-name': ({ path }) => {
    if (!isOurs(path)) return []
    const words = path.split('/').map(part => part.split('.')[0] ?? '')
    const empty = words.find(word => emptyNames.includes(word.split('-').at(-1) ?? ''))
    if (empty) return [{ text: `'${empty}' does not say what is inside` }]
    return /^[a-z0-9.-]+$/.test(posix.basename(path)) ? [] : [{ text: 'file names are kebab-case' }]
  },

  /** An editor opens a file by its name alone. */
  'file-name-once': ({ path }, { files }) => {
    if (!path.startsWith('src/')) return []
    const isTwin = (other: string) => other.startsWith('src/') && posix.basename(other) === posix.basename(path)
    return [...files]
      .filter(other => other !== path && isTwin(other))
      .map(other => ({ text: `has the same name as ${other}` }))
  },

  'papers-true': ({ path, text }, { files }) => {
    if (!path.endsWith('.md') || path === 'CHANGELOG.md') return []
    const known = [...files]
    return text.split('\n').flatMap((line, index) =>
      [...line.matchAll(/`((?:src|test|scripts|docs|bench|\.ci)\/[\w./-]*)`/g)]
        .map(([, named = '']) => named)
        .filter(named => !known.some(file => file === named || file.startsWith(`${named.replace(/\/$/, '')}/`)))
        .map(named => ({ line: index + 1, text: `names ${named}, which does not exist` })),
    )
  },

  'machine-text': ({ text }) =>
    text
      .split('\n')
      .flatMap((line, index) =>
        machineText
          .filter(({ pattern }) => pattern.test(line))
          .map(({ what }) => ({ line: index + 1, text: `holds ${what}` })),
      ),
}

function isOurs(path: string): boolean {
  return /^(src|test)\//.test(path) && !path.startsWith('test/fixtures/')
}
