import { lstat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { RestoreRequest } from '../../ports.ts'
import { commitId, mustLocate, type Place } from './locate.ts'
import { failure, type Git, quoted } from './run-git.ts'

/** Brings a checkpoint back beside the user's work: as a new branch, or in a new worktree. Never over anything. */
export async function restore(git: Git, { directory, commit, into }: RestoreRequest): Promise<void> {
  const place = await mustLocate(git, directory)
  await mustExist(git, place, commitId(commit))
  if ('branch' in into) await newBranch(git, place, into.branch, commit)
  else await newWorktree(git, place, resolve(directory, into.worktree), commit)
}

async function mustExist(git: Git, place: Place, commit: string): Promise<void> {
  const { code } = await git.attempt(['cat-file', '-e', `${commit}^{commit}`], { directory: place.root })
  if (code === 0) return
  const sentence = `checkpoint ${commit.slice(0, 10)} is no longer in ${place.root}: its run was pruned, or this is another clone`
  throw new RehoboamError('checkpoint-gone', sentence, { commit })
}

async function newBranch(git: Git, place: Place, branch: string, commit: string): Promise<void> {
  const options = { directory: place.root }
  const ref = `refs/heads/${branch}`
  const format = await git.attempt(['check-ref-format', ref], options)
  if (format.code !== 0 || branch.startsWith('-') || branch === 'HEAD') {
    throw new RehoboamError(
      'branch-name',
      `${JSON.stringify(branch.slice(0, 100))} cannot be the name of a branch; give another`,
    )
  }
  const [known, current] = await Promise.all([
    git.attempt(['show-ref', '--verify', '--quiet', ref], options),
    git.attempt(['symbolic-ref', '--quiet', 'HEAD'], options),
  ])
  // Before the first commit the branch that is checked out does not exist, and making it would change the user's HEAD.
  if (known.code === 0 || current.out.toString('utf8').trim() === ref) {
    const sentence = `there is a branch ${branch} already and it stays as it is; give another name, or look at the checkpoint: git show ${commit.slice(0, 10)}`
    throw new RehoboamError('branch-taken', sentence, { branch })
  }
  const words = ['branch', '--no-track', branch, commit]
  const made = await git.attempt(words, options)
  if (made.code !== 0) throw failure(words, place.root, made)
}

async function newWorktree(git: Git, place: Place, path: string, commit: string): Promise<void> {
  if (await lstat(path).catch(() => null)) {
    const sentence = `${path} is there already and stays as it is; give a path that is not, or by hand: git worktree add --detach <path> ${commit.slice(0, 10)}`
    throw new RehoboamError('path-taken', sentence, { path })
  }
  const words = ['worktree', 'add', '--quiet', '--detach', path, commit]
  const made = await git.attempt(words, { directory: place.root, timeLimitMs: 600_000 })
  if (made.code === 0) return
  if (/missing but (?:already registered|locked)/.test(made.err)) {
    const sentence = `${path} was a worktree that is gone; git worktree remove --force ${quoted(path)}, or give another path`
    throw new RehoboamError('path-taken', sentence, { path })
  }
  throw failure(words, place.root, made)
}
