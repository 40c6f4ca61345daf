import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, realpath, rm } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import type { Grounds } from './grounds.ts'
import { isOwnFolder } from './own-folder.ts'

const LARGEST = 10 * 1024 * 1024

/**
 * Copies one file that is not under version control, such as `.env`. The worktree's content is an agent's: a link that it put in
 * the way must not lead our writing, or the user's secrets, elsewhere. `ours`: a copy from before may be replaced.
 */
export async function copyConfigured(path: string, grounds: Grounds, ours: boolean): Promise<boolean> {
  const { from, to, names } = grounds
  const place = normalize(path)
  if (isAbsolute(place) || place === '.' || place.startsWith('..') || place.split('/')[0] === '.git') return false
  const source = await realpath(join(from, place)).catch(() => null)
  if (source === null || !names.some(name => source.startsWith(`${name}/`))) return false
  const stats = await lstat(source)
  if (!stats.isFile() || stats.size > LARGEST) return false
  const folder = dirname(place)
  if (!(await isOwnFolder(to, folder))) return false
  const target = join(to, place)
  if (!ours && (await lstat(target).catch(() => null))) return false
  await mkdir(join(to, folder), { recursive: true })
  await rm(target, { force: true })
  await copyFile(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  return true
}
