import { lstat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Every directory on the way is one, or is not there yet. Asked before anything is written or removed in a worktree: its content is an
 * agent's, and a link in it could lead to the user's files.
 */
export async function isOwnFolder(worktree: string, folder: string): Promise<boolean> {
  let path = worktree
  for (const part of folder.split('/')) {
    path = join(path, part)
    const stats = await lstat(path).catch(() => null)
    if (stats && !stats.isDirectory()) return false
  }
  return true
}
