import type { Repository } from '../../ports.ts'
import { checkpoint, treeOf } from './checkpoint.ts'
import { repositoryAt } from './look.ts'
import { diskUseOf, dropRefs, refsOf } from './refs.ts'
import { Git } from './run-git.ts'

/** Repositories through the git program of whoever has this environment. */
export function gitRepository(environment: Record<string, string | undefined>): Repository {
  const git = new Git(environment)
  return {
    repositoryAt: directory => repositoryAt(git, directory),
    checkpoint: request => checkpoint(git, request),
    treeOf: directory => treeOf(git, directory),
    refsOf: request => refsOf(git, request),
    diskUseOf: request => diskUseOf(git, request),
    dropRefs: request => dropRefs(git, request),
  }
}
