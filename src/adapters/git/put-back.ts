import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WorkRequest } from '../../ports.ts'
import { mustHavePlace } from './commit-left.ts'
import { commitId } from './locate.ts'
import { type Git, names } from './run-git.ts'

/** Files of a worktree of ours as a commit has them; those that it does not have are gone. */
export async function putBack(git: Git, request: WorkRequest & { commit: string; paths: string[] }): Promise<void> {
  const { root: directory } = await mustHavePlace(git, request)
  const commit = commitId(request.commit)
  const listed = await git.run(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], { directory })
  const had = new Set(names(listed).map(name => name.toString('utf8')))
  for (const path of request.paths)
    if (!had.has(path)) await rm(join(directory, path), { recursive: true, force: true })
  const back = request.paths.filter(path => had.has(path))
  if (back.length === 0) return
  const words = ['checkout', '--quiet', commit, '--pathspec-from-file=-', '--pathspec-file-nul']
  await git.run(['--literal-pathspecs', ...words], { directory, input: back.join('\0') })
}
