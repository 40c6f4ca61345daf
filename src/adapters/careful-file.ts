import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, lstat, mkdir, open, realpath, rename, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { ErrorCode } from '../contract/error-codes.ts'
import { RehoboamError } from '../contract/errors.ts'
import { printable } from '../contract/printable.ts'
import { syncDirectory } from './disk.ts'

/** Reads and changes files that belong to a person. A change is made whole or not at all, and nothing else changes. */

/** What differs between the kinds of such files. */
export type Care = {
  unreadable: ErrorCode
  unwritable: ErrorCode
  /** Completes the error about a file of more than 1 MB: says what the file is not. */
  tooLarge: string
  newFileMode: number
  /** Null: the directory of a file is never made. */
  newDirectoryMode: number | null
}

/** A file as it is now. */
export type FoundFile = { text: string; isLink: boolean } | { text: null; missingDirectories: number }
/** As it shall be. `gone`: no file, and so many of the directories above it neither, as far as they are empty. */
export type WantedFile = { text: string } | { gone: true; directories: number }

export async function readCarefully(path: string, care: Care): Promise<FoundFile> {
  return fileOf(path, await read(path, care))
}

// Two changes at once would each read the same text, and the later one would undo the earlier.
const changes = new Map<string, Promise<unknown>>()

/** Changes a file whole or not at all. Mode, owner and a link to it stay. Returns false when there was nothing to change. */
export async function changeCarefully(
  path: string,
  care: Care,
  edit: (file: FoundFile) => WantedFile,
): Promise<boolean> {
  const target = await targetOf(path, care)
  const turn = (changes.get(target) ?? Promise.resolve()).then(() => changeNow(path, target, care, edit))
  const settled = turn.catch(() => {})
  changes.set(target, settled)
  try {
    return await turn
  } finally {
    if (changes.get(target) === settled) changes.delete(target)
  }
}

// Other programs write these files too, for example the client at "always allow". Losing more often than this is no race.
const MOST_TRIES = 10

async function changeNow(
  path: string,
  target: string,
  care: Care,
  edit: (file: FoundFile) => WantedFile,
): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const old = await read(target, care)
    const wanted = named(path, edit, await fileOf(path, old))
    if ('gone' in wanted ? old === null : wanted.text === (old?.text ?? '')) return false
    const isStill = async () => (await read(target, care))?.text === old?.text
    try {
      await mayWrite(target, old?.stats ?? null, care)
      const change =
        'gone' in wanted
          ? erase(target, wanted.directories, isStill)
          : replace(target, wanted.text, old?.stats ?? null, care, isStill)
      if (await change) return true
    } catch (error) {
      throw error instanceof RehoboamError ? error : unwritable(target, reasonOf(error), care)
    }
  }
  throw unwritable(path, 'something else keeps changing it; try again', care)
}

async function fileOf(path: string, found: { text: string } | null): Promise<FoundFile> {
  if (found === null) return { text: null, missingDirectories: await missingAbove(path) }
  const isLink = await lstat(path).then(
    stats => stats.isSymbolicLink(),
    () => false,
  )
  return { text: found.text, isLink }
}

async function erase(path: string, directories: number, isStill: () => Promise<boolean>): Promise<boolean> {
  if (!(await isStill())) return false
  await rm(path)
  await syncDirectory(await eraseEmpty(dirname(path), directories))
  return true
}

/** The directories that were made for the file, upwards; one that something else has come into is not ours any more. */
async function eraseEmpty(directory: string, left: number): Promise<string> {
  if (left === 0) return directory
  const isGone = await rmdir(directory).then(
    () => true,
    () => false,
  )
  return isGone ? eraseEmpty(dirname(directory), left - 1) : directory
}

/** Temp file beside it, fsync, rename: whoever reads sees the old text or the new one, also after a power cut. */
async function replace(
  path: string,
  text: string,
  old: Stats | null,
  care: Care,
  isStill: () => Promise<boolean>,
): Promise<boolean> {
  const directory = dirname(path)
  const temp = join(directory, `.${basename(path)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`)
  if (care.newDirectoryMode !== null) await mkdir(directory, { recursive: true, mode: care.newDirectoryMode })
  try {
    const handle = await open(temp, 'wx', old === null ? care.newFileMode : 0o600)
    try {
      await handle.writeFile(text)
      if (old !== null) await resemble(handle, old)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (!(await isStill())) return false
    await rename(temp, path)
    await syncDirectory(directory)
    return true
  } finally {
    await rm(temp, { force: true }).catch(() => {})
  }
}

/** A new file could take the place of one that we may not write; that its owner made it so is reason enough not to. */
async function mayWrite(path: string, old: Stats | null, care: Care): Promise<void> {
  if (old === null) return
  const hint = `it is read-only; to allow it: chmod u+w ${printable(path, 4096)}`
  if ((old.mode & 0o222) === 0) throw unwritable(path, hint, care)
  await access(path, constants.W_OK)
}

/** Owner before mode: changing the owner may clear bits. A change through sudo must not take the file away. */
async function resemble(handle: FileHandle, old: Stats): Promise<void> {
  const mine = await handle.stat()
  if (mine.uid !== old.uid) await handle.chown(old.uid, old.gid)
  else if (mine.gid !== old.gid) await handle.chown(old.uid, old.gid).catch(() => {})
  await handle.chmod(old.mode & 0o7777)
}

async function targetOf(path: string, care: Care): Promise<string> {
  if (await isMissing(path)) return path
  return realpath(path).catch(error => {
    throw unreadable(path, reasonOf(error), care)
  })
}

// Larger than anybody's settings, small enough to be read at once.
const LARGEST_BYTES = 1024 * 1024

async function read(path: string, care: Care): Promise<{ text: string; stats: Stats } | null> {
  let handle: FileHandle
  try {
    // Not to wait for a writer: a clone may bring a link to a pipe or a device.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && (await isMissing(path))) return null
    throw unreadable(path, reasonOf(error), care)
  }
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw unreadable(path, 'it is not a regular file', care)
    // Do not trust the size: files below /proc report none, and some of them never end.
    const bytes = await buffer(handle.createReadStream({ end: LARGEST_BYTES, autoClose: false }))
    if (bytes.length > LARGEST_BYTES) throw unreadable(path, `it is larger than 1 MB: ${care.tooLarge}`, care)
    return { text: decoded(path, bytes, care), stats }
  } catch (error) {
    throw error instanceof RehoboamError ? error : unreadable(path, reasonOf(error), care)
  } finally {
    await handle.close()
  }
}

/** Strictly: a lenient reading would write its question marks back into the file. */
function decoded(path: string, bytes: Uint8Array, care: Care): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw unreadable(path, 'it is not UTF-8 text; save it as UTF-8', care)
  }
}

/** Nothing at all there; a link that points nowhere is something, and hides settings that somebody counts on. */
async function isMissing(path: string): Promise<boolean> {
  return lstat(path).then(
    () => false,
    error => codeOf(error) === 'ENOENT',
  )
}

async function missingAbove(path: string): Promise<number> {
  let missing = 0
  for (let at = dirname(path); at !== dirname(at) && (await isMissing(at)); at = dirname(at)) missing++
  return missing
}

/** What is wrong inside a file is told with the file's name. */
function named(path: string, edit: (file: FoundFile) => WantedFile, file: FoundFile): WantedFile {
  try {
    return edit(file)
  } catch (error) {
    if (!(error instanceof RehoboamError)) throw error
    throw new RehoboamError(error.code, `${printable(path, 4096)}: ${error.message}`, { ...error.data, path })
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

function unreadable(path: string, why: string, care: Care): RehoboamError {
  return new RehoboamError(care.unreadable, `cannot read ${printable(path, 4096)}: ${why}`, { path })
}

function unwritable(path: string, why: string, care: Care): RehoboamError {
  return new RehoboamError(care.unwritable, `cannot write ${printable(path, 4096)}: ${why}`, { path })
}
