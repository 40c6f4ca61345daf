import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { PROGRAM } from '../support/temp-home.ts'

/** Every built file that a command loads before it does anything, and what else it imports. */
function loadedFirst(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  const names = [...readFileSync(file, 'utf8').matchAll(/^(?:import|\}) ?(?:.* ?from ?)?["']([^"']+)["'];$/gm)]
  const imported = names.map(([, name]) => name!)
  seen.set(file, imported)
  for (const name of imported.filter(each => each.startsWith('./'))) {
    const path = join(dirname(file), name)
    if (!seen.has(path)) loadedFirst(path, seen)
  }
  return seen
}

test('a command loads no schemas and no cryptography before it needs them: they would be half of its time [cli-start-small]', () => {
  const loaded = loadedFirst(join(dirname(PROGRAM), 'main.mjs'))
  expect(loaded.size).toBeGreaterThan(2)
  const all = [...loaded.keys()].map(file => readFileSync(file, 'utf8')).join('\n')
  expect(all).toContain('class _Command')
  expect(all).not.toContain('ZodError')
  expect([...loaded.values()].flat()).not.toContain('node:crypto')
})
