import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

// A branch is asked for whenever somebody looks at an agent: two small files, no process.
const DEEPEST = 64

/** The branch that is checked out where this directory is, a short commit id when none is, or null outside of git. */
export async function branchOf(directory: string): Promise<string | null> {
  let here = resolve(directory)
  for (let depth = 0; depth < DEEPEST; depth++) {
    const git = join(here, '.git')
    const found = await stat(git).catch(() => null)
    if (found) return headOf(found.isDirectory() ? git : await linkedFrom(git, here))
    if (dirname(here) === here) return null
    here = dirname(here)
  }
  return null
}

/** A worktree has a file that says where its own part of the repository is. */
async function linkedFrom(file: string, here: string): Promise<string | null> {
  const [, path] = /^gitdir: (.+)$/m.exec(await read(file)) ?? []
  return path ? resolve(here, path) : null
}

async function headOf(git: string | null): Promise<string | null> {
  const head = git ? (await read(join(git, 'HEAD'))).trim() : ''
  const [, branch] = /^ref: refs\/heads\/(.+)$/.exec(head) ?? []
  if (branch) return branch.slice(0, 300)
  return /^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 8) : null
}

function read(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '')
}
