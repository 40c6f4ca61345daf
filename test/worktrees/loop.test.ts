import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { git, gitProject, iterationsOf } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { theirs } from './theirs.ts'

test('two loops of one project at once, each in its own worktree; the user’s checkout is as it was [worktree-loop] [worktree-untouched] [merge-command] [worktree-prune]', async () => {
  const scenario = ['One', 'Two'].flatMap(name =>
    iterationsOf(
      `Make ${name}`,
      {
        runs: `pwd > ${name}.txt; echo $PORT $REHOBOAM_PORT_BASE > ${name}.port; echo x > $TMPDIR/mine`,
        says: 'Half of it is there.',
      },
      { runs: `git add -A; git commit -qm own; echo done >> ${name}.txt`, says: 'All of it.\n\nDONE' },
    ),
  )
  await using home = await tempHome({ client: 'either', scenario })
  gitProject(home.project, { 'README.md': 'hello\n', '.gitignore': 'ignored\n' })
  writeFileSync(join(home.project, 'dirty.txt'), 'not committed\n')
  const before = theirs(home.project)
  const spawn = (name: string, ...more: string[]) =>
    home.rehoboam([
      'spawn',
      '--loop',
      '--worktree',
      '--prompt',
      `Make ${name}`,
      '--allowed-tools',
      'Bash',
      '--ward',
      `test -e README.md`,
      ...more,
    ])

  const refused = await spawn('One')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('dirty.txt')])
  expect(home.runs()).toEqual([])
  const ended = await Promise.all(['One', 'Two'].map(name => spawn(name, '--yes', '--wait', '--json')))
  expect(ended.map(({ code }) => code)).toEqual([0, 0])
  const shown = await Promise.all(
    home.runs().map(async id => JSON.parse((await home.rehoboam(['show', id, '--json'])).out) as RunDetail),
  )
  shown.sort((a, b) => (a.prompt! < b.prompt! ? -1 : 1))
  const ids = shown.map(({ id }) => id)

  for (const [n, name] of ['One', 'Two'].entries()) {
    const id = ids[n]!
    expect(shown[n]).toMatchObject({ status: 'complete', proven: true, project: home.project })
    expect(shown[n]!.notes.join('\n')).toContain(`on branch rehoboam/${id}`)
    expect(git(home.project, 'ls-tree', '--name-only', '-r', `rehoboam/${id}`).trim().split('\n')).toEqual(
      ['.gitignore', `${name}.port`, `${name}.txt`, 'README.md'].sort(),
    )
    const worktree = join(home.home, 'worktrees', id)
    expect(git(home.project, 'show', `rehoboam/${id}:${name}.txt`)).toBe(`${worktree}\ndone\n`)
    expect(git(worktree, 'status', '--porcelain', '--', ':!.rehoboam')).toBe('')
    expect((await home.rehoboam(['diff', id])).out).toContain('+done')
    expect(existsSync(join(worktree, '.rehoboam', 'anchor.md'))).toBe(true)
  }
  const ports = ['One', 'Two'].map((name, n) =>
    git(home.project, 'show', `rehoboam/${ids[n]}:${name}.port`).trim().split(' '),
  )
  expect(ports[0]![0]).toBe(ports[0]![1])
  expect(Math.abs(Number(ports[0]![0]) - Number(ports[1]![0]))).toBeGreaterThanOrEqual(20)
  for (const [port] of ports) expect(readFileSync(join(home.home, 'tmp', port!, 'mine'), 'utf8')).toBe('x\n')
  expect(theirs(home.project)).toEqual(before)
  expect(readdirSync(home.project)).not.toContain('.rehoboam')

  // The first comes into a branch that did not move; for the second it has, and the checks run on the forecast.
  const merged = await home.rehoboam(['merge', ids[0]!])
  expect([merged.code, merged.out]).toEqual([0, expect.stringMatching(/^main is now at \w{10}: 2 files changed\n/)])
  const second = await home.rehoboam(['merge', ids[1]!, '--squash'])
  expect([second.code, second.out]).toEqual([0, expect.stringMatching(/: 2 files changed, checks green\n/)])
  const again = await home.rehoboam(['merge', ids[1]!, '--json'])
  expect(JSON.parse(again.out)).toMatchObject({ state: 'already', branch: 'main' })
  expect(readdirSync(home.project).sort()).toEqual(
    ['.git', '.gitignore', 'One.port', 'One.txt', 'README.md', 'Two.port', 'Two.txt', 'dirty.txt'].sort(),
  )
  expect(git(home.project, 'status', '--porcelain')).toBe('?? dirty.txt\n')

  // What is in no commit is kept with its worktree; the rest goes, and the results stay.
  const [first = '', other = ''] = ids.map(id => join(home.home, 'worktrees', id))
  writeFileSync(join(first, 'late.txt'), 'after its end\n')
  const pruned = await home.rehoboam(['prune'])
  expect(pruned.out).toContain(`kept ${first}: files in it are in no commit yet`)
  for (const gone of [other, `${first}-ward`, `${other}-ward`]) expect(pruned.out).toContain(`removed ${gone}`)
  expect(pruned.out).toContain(`kept branch rehoboam/${ids[0]}: your branch has it; its worktree is kept, see above`)
  expect(pruned.out).toContain(`kept branch rehoboam/${ids[1]}: your branch has it; git -C ${home.project} branch -D `)
  rmSync(join(first, 'late.txt'))
  expect((await home.rehoboam(['prune'])).out).toContain(`removed ${first}`)
  expect(git(home.project, 'worktree', 'list', '--porcelain').match(/^worktree /gm)).toHaveLength(1)
  expect((await home.rehoboam(['diff', ids[0]!])).out).toContain('+done')
  expect(readdirSync(join(home.home, 'tmp'))).toEqual([])
}, 400_000)
