import { CONFIG_KEY_NAMES } from '../../src/config/keys.ts'
import { explain } from '../../src/config/resolve.ts'
import { redraw } from '../support/drawn-part.ts'

export const DOC = new URL('../../docs/configuration.md', import.meta.url)
const PART = { page: 'docs/configuration.md', part: 'keys', writer: 'test/config/write-doc.ts' }

/** The document with the part between its markers written from the schema. */
export function renewed(document: string): string {
  return redraw(document, PART, keys())
}

const MAY = { yes: 'yes', lower: 'only lower', no: 'no' }

function keys(): string {
  const all = CONFIG_KEY_NAMES.map(key => explain(key))
  const rows = all.map(({ key, default: fallback, env, flag, settableByProject }) => {
    const cells = [
      `[\`${key}\`](#${anchor(key)})`,
      shown(fallback),
      `\`${env}\``,
      flag ? `\`${flag}\`` : '',
      MAY[settableByProject],
    ]
    return `| ${cells.join(' | ')} |`
  })
  const table = ["| key | default | variable | flag | project's file |", '|---|---|---|---|---|', ...rows].join('\n')
  const sections = all.map(({ key, what, type, default: fallback, reason, takesEffect, projectSentence }) =>
    [
      `### ${key}`,
      `${what} Value: ${type}. A change holds ${takesEffect}.`,
      `Why ${shown(fallback)}: ${reason}`,
      `${projectSentence[0]!.toUpperCase()}${projectSentence.slice(1)}.`,
    ].join('\n\n'),
  )
  return [table, ...sections].join('\n\n')
}

function shown(value: unknown): string {
  if (value === null) return 'none'
  if (Array.isArray(value) && value.length === 0) return 'an empty list'
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

/** As GitHub makes it from a heading. */
function anchor(key: string): string {
  return key.toLowerCase().replaceAll('.', '')
}
