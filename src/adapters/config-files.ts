import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, realpath, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { withoutKey, withValue } from '../config/edit.ts'
import { configKey, requireValue } from '../config/keys.ts'
import type { ConfigValue } from '../config/kinds.ts'
import { refuseInProject } from '../config/resolve.ts'
import { type ConfigText, LARGEST_CONFIG_FILE } from '../config/sources.ts'
import { RehoboamError } from '../contract/errors.ts'
import { printable } from '../contract/printable.ts'

export type ConfigFile = { source: 'project' | 'user'; path: string }

export function projectConfigFile(directory: string): ConfigFile {
  return { source: 'project', path: join(directory, 'rehoboam.config.json') }
}

/** A relative XDG_CONFIG_HOME is ignored, as its specification asks: it would name a file in the project. */
export function userConfigFile(env: Readonly<Record<string, string | undefined>>): ConfigFile {
  const base = env.XDG_CONFIG_HOME ?? ''
  const directory = isAbsolute(base) ? base : join(env.HOME || homedir(), '.config')
  return { source: 'user', path: join(directory, 'rehoboam', 'config.json') }
}

/** Both files, ready for resolveConfig. */
export async function readConfigFiles(
  projectDirectory: string | null,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ project: ConfigText | null; user: ConfigText | null }> {
  const project = projectDirectory === null ? null : await readConfigFile(projectConfigFile(projectDirectory).path)
  return { project, user: await readConfigFile(userConfigFile(env).path) }
}

/** The file's text; null when there is none. */
export async function readConfigFile(path: string): Promise<ConfigText | null> {
  return (await read(path))?.file ?? null
}

/** Sets one key in a file; the rest of the file stays as it is. Makes the file when there is none. */
export async function setValue(file: ConfigFile, key: string, value: ConfigValue): Promise<void> {
  const known = configKey(key)
  if (file.source === 'project') refuseInProject(known)
  const checked = requireValue(known, value)
  await change(file, text => withValue(text, known, checked))
}

/** Takes a key out of a file, an unknown one too: that is how a file is mended. False: it was not in it. */
export async function unset(file: ConfigFile, key: string): Promise<boolean> {
  return change(file, text => withoutKey(text, key))
}

// Two changes at once would each read the same text, and the later one would undo the earlier.
const changes = new Map<string, Promise<unknown>>()

async function change(file: ConfigFile, edit: (text: string) => string): Promise<boolean> {
  const target = await targetOf(file.path)
  const turn = (changes.get(target) ?? Promise.resolve()).then(() => changeNow({ ...file, path: target }, edit))
  const settled = turn.catch(() => {})
  changes.set(target, settled)
  try {
    return await turn
  } finally {
    if (changes.get(target) === settled) changes.delete(target)
  }
}

async function changeNow(file: ConfigFile, edit: (text: string) => string): Promise<boolean> {
  const old = await read(file.path)
  if (old !== null && (old.stats.mode & 0o222) === 0) {
    throw unwritable(file.path, `it is read-only; to allow it: chmod u+w ${file.path}`)
  }
  const before = old?.file.text ?? ''
  const after = edited(file.path, () => edit(before))
  if (after === before) return false
  await replace(file, after, old?.stats ?? null)
  return true
}

/** Temp file beside it, fsync, rename: whoever reads sees the old text or the new one, also after a power cut. */
async function replace({ source, path }: ConfigFile, text: string, old: Stats | null): Promise<void> {
  const directory = dirname(path)
  const temp = join(directory, `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    if (source === 'user') await mkdir(directory, { recursive: true, mode: 0o700 })
    // A project's file is meant to be shared and follows the umask; the user's own is nobody else's business.
    const handle = await open(temp, 'wx', old === null && source === 'project' ? 0o666 : 0o600)
    try {
      await handle.writeFile(text)
      if (old !== null) await resemble(handle, old)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temp, path)
    await syncDirectory(directory)
  } catch (error) {
    await rm(temp, { force: true }).catch(() => {})
    throw unwritable(path, reasonOf(error))
  }
}

/** Owner before mode: changing the owner may clear bits. `sudo rehoboam config set` must not take the file away. */
async function resemble(handle: FileHandle, old: Stats): Promise<void> {
  const mine = await handle.stat()
  if (mine.uid !== old.uid) await handle.chown(old.uid, old.gid)
  else if (mine.gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => {})
  await handle.chmod(old.mode & 0o777)
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function targetOf(path: string): Promise<string> {
  if (await missing(path)) return path
  return realpath(path).catch(error => {
    throw unreadable(path, reasonOf(error))
  })
}

async function read(path: string): Promise<{ file: ConfigText; stats: Stats } | null> {
  let handle: FileHandle
  try {
    // Not to wait for a writer: a clone may bring a link to a pipe or a device.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && (await missing(path))) return null
    throw unreadable(path, reasonOf(error))
  }
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw unreadable(path, 'it is not a regular file')
    const bytes = Buffer.alloc(LARGEST_CONFIG_FILE + 1)
    const length = await fill(handle, bytes)
    if (length > LARGEST_CONFIG_FILE) throw unreadable(path, 'it is larger than 1 MB: this is not a config file')
    return { file: { path, text: decoded(path, bytes.subarray(0, length)) }, stats }
  } catch (error) {
    throw error instanceof RehoboamError ? error : unreadable(path, reasonOf(error))
  } finally {
    await handle.close()
  }
}

async function fill(handle: FileHandle, bytes: Buffer): Promise<number> {
  let length = 0
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
    length += bytesRead
    if (bytesRead === 0 || length === bytes.length) return length
  }
}

/** Strictly: a lenient reading would write its question marks back into the file at the next change. */
function decoded(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unreadable(path, 'it is not UTF-8 text; save it as UTF-8')
  }
}

/** Nothing at all there; a link that points nowhere is something, and hides settings that somebody counts on. */
async function missing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    error => codeOf(error) === 'ENOENT',
  )
}

function edited(path: string, edit: () => string): string {
  try {
    return edit()
  } catch (error) {
    if (error instanceof RehoboamError)
      throw new RehoboamError(error.code, `${path}: ${error.message}`, { ...error.data, path })
    throw error
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; look at it with: ls -l',
  EPERM: 'it belongs to somebody else',
  ENOENT: 'the directory does not exist, or it is a link that points nowhere',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'it is a link that leads back to itself',
  ENXIO: 'it is not a regular file',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

function reasonOf(error: unknown): string {
  const code = codeOf(error)
  return REASONS[code] ?? (code || String(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function unreadable(path: string, why: string): RehoboamError {
  return new RehoboamError('config-unreadable', `cannot read ${printable(path, 4096)}: ${why}`, { path })
}

function unwritable(path: string, why: string): RehoboamError {
  return new RehoboamError('config-unwritable', `cannot write ${printable(path, 4096)}: ${why}`, { path })
}
