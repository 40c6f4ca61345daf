import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitRepository } from '../../src/adapters/git/git-repository.ts'
import { RUN, scratch } from './scratch.ts'

/** A worktree that another git has begun to make, and that is done as soon as a git of ours has died of it. */
function withHalfMade(place: ReturnType<typeof scratch>) {
  const half = join(place.project, '.git/worktrees/other')
  place.write('.git/worktrees/other/gitdir', `${place.root}/other/.git\n`)
  place.write('.git/worktrees/other/commondir', '')
  place.write('.git/worktrees/other/HEAD', 'ref: refs/heads/main\n')
  const script = `#!/bin/sh\n'${place.environment
    .PATH!.split(':')
    .map(part => join(part, 'git'))
    .find(
      existsSync,
    )}' "$@"\ncode=$?\ncase "$*" in *"worktree add"*) [ $code = 0 ] || rm -rf '${half.replaceAll("'", `'\\''`)}' ;; esac\nexit $code\n`
  place.write('bin/git', script, place.root)
  chmodSync(join(place.root, 'bin/git'), 0o755)
  const repository = gitRepository({
    ...place.environment,
    PATH: `${join(place.root, 'bin')}:${place.environment.PATH}`,
  })
  return { repository, isHalfMade: () => existsSync(half) }
}

test('a worktree is made although another git is in the middle of making one [git-worktree]', async () => {
  using place = scratch()
  const commit = place.commit()
  const { repository, isHalfMade } = withHalfMade(place)
  const path = join(place.root, 'ours')
  await repository.cleanWorktree({ repository: place.project, commit, path })
  expect([readFileSync(join(path, 'a.txt'), 'utf8'), isHalfMade()]).toEqual(['one\n', false])
})

test('a worktree on a branch is made although another git is in the middle of making one [git-worktree]', async () => {
  using place = scratch()
  const commit = place.commit()
  const { repository, isHalfMade } = withHalfMade(place)
  const path = join(place.root, 'ours')
  const branch = { run: RUN, task: 'A' }
  const made = await repository.workWorktree({ repository: place.project, path, branch, base: commit })
  expect([made.tip, readFileSync(join(path, 'a.txt'), 'utf8'), isHalfMade()]).toEqual([commit, 'one\n', false])
})
