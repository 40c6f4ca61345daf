import type { Repository } from '../../ports.ts'
import { checkpoint } from './checkpoint.ts'
import { commitLeft } from './commit-left.ts'
import { changedFiles, diff } from './compare.ts'
import { exclude } from './exclude.ts'
import { dropLeftovers } from './leftovers.ts'
import { bringIn, forecast, markedFiles, mergeCommit, mergeIntoResult } from './merge-commits.ts'
import { advance, isAncestor, isRelated, openBranch, tipOf, treeAt } from './own-branch.ts'
import { putBack } from './put-back.ts'
import { allRefsOf, diskUseOf, dropRefs, refsOf } from './refs.ts'
import { release } from './release.ts'
import { locatedAt, repositoryAt } from './repository-state.ts'
import { restore } from './restore-checkpoint.ts'
import { Git } from './run-git.ts'
import { inTheWay, squashedAs, takeIn } from './users-branch.ts'
import { workWorktree } from './work-worktree.ts'
import { cleanWorktree, removeWorktree } from './worktrees.ts'

/** Repositories through the git program of whoever has this environment. */
export function gitRepository(environment: Record<string, string | undefined>): Repository {
  return repositoryThrough(new Git(environment))
}

export function repositoryThrough(git: Git): Repository {
  return {
    repositoryAt: directory => repositoryAt(git, directory),
    locate: directory => locatedAt(git, directory),
    checkpoint: request => checkpoint(git, request),
    exclude: (directory, entries) => exclude(git, directory, entries),
    cleanWorktree: request => cleanWorktree(git, request),
    removeWorktree: request => removeWorktree(git, request),
    restore: request => restore(git, request),
    diff: request => diff(git, request),
    changedFiles: request => changedFiles(git, request),
    refsOf: request => refsOf(git, request),
    countRefs: async request => (await allRefsOf(git, request)).length,
    diskUseOf: request => diskUseOf(git, request),
    dropRefs: request => dropRefs(git, request),
    openBranch: request => openBranch(git, request),
    tipOf: request => tipOf(git, request),
    workWorktree: request => workWorktree(git, request),
    commitLeft: request => commitLeft(git, request),
    putBack: request => putBack(git, request),
    bringIn: request => bringIn(git, request),
    forecast: request => forecast(git, request),
    markedFiles: request => markedFiles(git, request),
    mergeIntoResult: request => mergeIntoResult(git, request),
    mergeCommit: request => mergeCommit(git, request),
    advance: request => advance(git, request),
    isRelated: request => isRelated(git, request),
    treeAt: request => treeAt(git, request),
    isAncestor: request => isAncestor(git, request),
    inTheWay: request => inTheWay(git, request),
    takeIn: request => takeIn(git, request),
    squashedAs: request => squashedAs(git, request),
    release: request => release(git, request),
    dropLeftovers: works => dropLeftovers(git, works),
  }
}
