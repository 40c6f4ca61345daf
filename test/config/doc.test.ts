import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configKey } from '../../src/config/keys.ts'
import { resolveConfig } from '../../src/config/resolve.ts'
import { DOC, renewed } from './doc-table.ts'

const document = readFileSync(DOC, 'utf8')

test('docs/configuration.md says of every key what the schema says [config-doc-true]', () => {
  expect(document, 'the schema has changed; write the document anew: node test/config/write-doc.ts').toBe(
    renewed(document),
  )
})

test('the examples in docs/configuration.md are accepted as they stand [config-doc-true]', () => {
  const examples = [...document.matchAll(/^`(\S+)`[^\n]*:\n\n```json\n([^`]+)```/gm)]
  expect(examples.map(([, name]) => name)).toEqual(['~/.config/rehoboam/config.json', 'rehoboam.config.json'])
  const [user, project] = examples.map(([, path, text]) => ({ path: path!, text: text! }))
  expect(resolveConfig({ user: user!, project: project! }).problems).toEqual([])
  for (const [, key] of document.matchAll(/rehoboam config (?:get|set|explain) ([\w.]+)/g)) {
    if (key !== 'KEY') expect(configKey(key!)).toBe(key)
  }
})
