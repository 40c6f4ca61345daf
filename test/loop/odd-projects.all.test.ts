import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { git, gitProject } from './projects.ts'
import { playTwo, TWO } from './two-iterations.ts'

test('a loop works in a path with blanks, umlauts and quotes, on an unborn HEAD, a detached one, and with a submodule [loop-odd-project]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [...TWO('Quotes'), ...TWO('Unborn'), ...TWO('Detached'), ...TWO('Sub')],
  })
  const place = (name: string) => {
    const path = join(home.root, name)
    mkdirSync(path)
    return path
  }
  const quotes = place(`a 'b' "ü" $(c)`)
  gitProject(quotes)
  const unborn = place('unborn')
  git(unborn, 'init', '-q', '-b', 'main')
  writeFileSync(join(unborn, 'README.md'), 'hello\n')
  const detached = place('detached')
  gitProject(detached)
  git(detached, 'checkout', '-q', '--detach')
  const library = place('library')
  gitProject(library)
  const outer = place('outer')
  gitProject(outer)
  git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib')
  git(outer, 'commit', '-qm', 'with a submodule')
  const before = [quotes, detached, outer].map(path => git(path, 'rev-parse', 'HEAD'))

  const done = await Promise.all([
    playTwo(home, quotes, 'Quotes'),
    playTwo(home, unborn, 'Unborn'),
    playTwo(home, detached, 'Detached'),
    playTwo(home, outer, 'Sub'),
  ])
  const expected = { status: 'complete', cause: 'stop-word', proven: true, iteration: 2 }
  expect(done).toMatchObject([expected, expected, expected, expected])
  for (const [n, directory] of [quotes, unborn, detached, outer].entries()) {
    const ref = `refs/rehoboam/${done[n]!.id}/2`
    expect(git(directory, 'show', `${ref}:new.txt`)).toBe('two\n')
    expect(git(directory, 'status', '--porcelain')).toBe(
      directory === unborn ? '?? README.md\n?? new.txt\n' : '?? new.txt\n',
    )
  }
  expect([quotes, detached, outer].map(path => git(path, 'rev-parse', 'HEAD'))).toEqual(before)
  expect(() => git(unborn, 'rev-parse', '--verify', '-q', 'HEAD')).toThrow()
  expect(() => git(detached, 'symbolic-ref', '-q', 'HEAD')).toThrow()
  expect(git(outer, 'submodule', 'status')).toMatch(/^ [0-9a-f]{40} lib/)
})
