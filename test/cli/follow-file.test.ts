import { appendFileSync, mkdtempDisposableSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followFile } from '../../src/cli/follow-file.ts'
import { until } from '../support/until.ts'

test('a followed file is printed from the byte that was asked for, through its replacement by a shorter one [daemon-logs]', async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'rehoboam-follow-'))
  const path = join(directory.path, 'daemon.log')
  writeFileSync(path, 'seen already\nwritten before the first look\nhalf of ')
  const leaving = new AbortController()
  const lines: string[] = []
  const followed = followFile(path, 'seen already\n'.length, leaving.signal, line => lines.push(line))
  await until(() => lines.length === 1, 'the first line')
  appendFileSync(path, 'a line\n')
  await until(() => lines.length === 2, 'the second line')
  renameSync(path, `${path}.1`)
  writeFileSync(path, 'begun anew\n')
  await until(() => lines.length === 3, 'the line of the new file')
  expect(lines).toEqual(['written before the first look', 'half of a line', 'begun anew'])
  leaving.abort()
  await followed
})
