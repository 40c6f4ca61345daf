import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RUN, scratch } from './scratch.ts'

/** A worktree that another git has begun to make, and that is done as soon as a git of ours has died of it. */
function withHalfMade(place: ReturnType<typeof scratch>) {
  const half = join(place.project, '.git/worktrees/other')
  place.write('.git/worktrees/other/gitdir', `${place.root}/other/.git\n`)
  place.write('.git/worktrees/other/commondir', '')
  place.write('.git/worktrees/other/HEAD', 'ref: refs/heads/main\n')
  const dies = (real: string) => `
${real} "$@"
code=$?
case "$*" in *"worktree add"*) [ $code = 0 ] || rm -rf "$HALF" ;; esac
exit $code`
  const repository = place.repositoryThrough(dies, { HALF: half })
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
