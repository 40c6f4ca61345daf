import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requirements } from '../requirements.ts'

test('every promise names a page of this repository [architecture-papers-true]', () => {
  const isPage = (path: string) => /\.md$/.test(path) && existsSync(join(import.meta.dirname, '../..', path))
  expect(requirements.filter(({ where }) => !isPage(where))).toEqual([])
})
