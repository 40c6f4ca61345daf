import { constants } from 'node:fs'
import { chmod, type FileHandle, lstat, mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Disk } from '../ports.ts'

/** What of a loop directory belongs to a run. `roles` and `prompts` are the user's own and stay. */
export const LOOP_FILES = [
  'anchor.md',
  'progress.md',
  'tasks.md',
  'assigned_task.md',
  'guardrails.md',
  'activity.log',
  'session_history.log',
  'errors.log',
  // Last: as long as it stands there, an archive that was cut off is known to be unfinished.
  'state.json',
] as const
export type LoopFile = (typeof LOOP_FILES)[number]

const READ_ONLY: ReadonlySet<LoopFile> = new Set(['anchor.md', 'assigned_task.md'])

/**
 * `<project>/.rehoboam`: for people and agents to read. An agent can put anything there, also links to elsewhere, so nothing
 * is read or written through one, and what is not a file of the right kind is set aside.
 */
export class LoopDirectory {
  readonly path: string
  readonly #disk: Disk
  #archiving: Promise<string> | null = null

  constructor(path: string, disk: Disk) {
    this.path = path
    this.#disk = disk
  }

  /** It is there, and is no link to elsewhere. */
  async isThere(): Promise<boolean> {
    return (await lstat(this.path).catch(() => null))?.isDirectory() ?? false
  }

  /** Makes it, but never the project around it. What else stands in its place is moved beside it: says where to, if so. */
  async make(aside: string): Promise<{ wasThere: boolean; moved: string | null }> {
    const found = await lstat(this.path).catch(() => null)
    if (found?.isDirectory()) return { wasThere: true, moved: null }
    const moved = found && (await freeName(`${this.path}-${aside}`))
    if (moved) await rename(this.path, moved)
    await mkdir(this.path).catch(ignoreExisting)
    return { wasThere: false, moved }
  }

  /** The text of one file, at most so many bytes of its end; null when there is none that may be read. */
  async read(name: LoopFile | `${string}/${string}`, limit: number): Promise<string | null> {
    if (!(await this.isThere())) return null
    const path = join(this.path, name)
    // Not blocking: a pipe of that name would wait for somebody who writes.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
    if (!file) return null
    try {
      const stat = await file.stat()
      if (!stat.isFile()) return null
      const from = Math.max(0, stat.size - limit)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(stat.size - from), 0, stat.size - from, from)
      const text = buffer.toString('utf8', 0, bytesRead)
      return from > 0 ? text.slice(text.indexOf('\n') + 1) : text
    } finally {
      await file.close()
    }
  }

  /** The whole file at once. A link in its place is replaced, not followed. */
  async write(name: LoopFile, text: string): Promise<void> {
    await this.#clear(name)
    const path = join(this.path, name)
    await this.#disk.replace(path, text)
    await chmod(path, READ_ONLY.has(name) ? 0o444 : 0o644)
  }

  /** A log that ends with half a line, which a power cut leaves, is first cut back to its last whole one. */
  async append(name: LoopFile, text: string): Promise<void> {
    await this.#clear(name)
    const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
    const file = await open(join(this.path, name), flags, 0o644)
    try {
      if (name.endsWith('.log')) await cutTorn(file)
      await file.appendFile(text)
    } finally {
      await file.close()
    }
  }

  /** Keeps what an agent made of a file of ours, for whoever wants to look. */
  async setAside(name: LoopFile, under: string): Promise<void> {
    const archive = await this.#archive()
    await rename(join(this.path, name), await freeName(join(archive, `${under}-${name}`))).catch(ignoreMissing)
  }

  /** Moves the files of an earlier run away; done again it finishes what was cut off. Gives the names that it moved. */
  async archive(under: string): Promise<string[]> {
    const moved: string[] = []
    for (const name of LOOP_FILES) {
      if (!(await lstat(join(this.path, name)).catch(() => null))) continue
      const archive = join(await this.#archive(), under)
      await mkdir(archive).catch(ignoreExisting)
      await rename(join(this.path, name), join(archive, name))
      moved.push(name)
    }
    return moved
  }

  /** One at a time: a second one that sees what the first has not yet moved away would move away what it made. */
  #archive(): Promise<string> {
    this.#archiving ??= this.#makeArchive().finally(() => {
      this.#archiving = null
    })
    return this.#archiving
  }

  async #makeArchive(): Promise<string> {
    const path = join(this.path, 'archive')
    const found = await lstat(path).catch(() => null)
    if (found && !found.isDirectory()) await rename(path, await freeName(`${path}-not-a-directory`))
    await mkdir(path).catch(ignoreExisting)
    return path
  }

  /** What stands at a name of ours and is no file is moved away: nothing of an agent's is ever removed. */
  async #clear(name: LoopFile): Promise<void> {
    if (!(await this.isThere())) throw new Error(`${this.path} is not a directory any more`)
    const found = await lstat(join(this.path, name)).catch(() => null)
    if (found && !found.isFile()) await this.setAside(name, `not-a-file-${Math.trunc(found.mtimeMs)}`)
  }
}

// Longer than any line of ours.
const LINE_BYTES = 16_384

async function cutTorn(file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  const from = Math.max(0, size - LINE_BYTES)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
  const whole = from + buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1
  if (whole < size) await file.truncate(whole)
}

/** Beside what was set aside under that name before. */
async function freeName(path: string): Promise<string> {
  for (let n = 1; ; n++) {
    const name = n === 1 ? path : `${path}-${n}`
    if (!(await lstat(name).catch(() => null))) return name
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
