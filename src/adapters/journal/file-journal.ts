import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { RehoboamError } from '../../contract/errors.ts'
import type { Stamped } from '../../contract/event.ts'
import type { AppendFile, Disk, Journal, OpenedJournal } from '../../ports.ts'
import { writeLine } from './line.ts'
import { legible } from './scan.ts'
import { writeSnapshot } from './snapshot.ts'
import { findUsable, type Usable } from './usable.ts'

/**
 * A run's journal in a file. Opening it gives the newest snapshot that fits and the events after it. What cannot be
 * read is set aside whole, from the first bad byte on, and said: the good prefix is the truth.
 */
export async function openFileJournal(directory: string, disk: Disk): Promise<OpenedJournal> {
  const path = join(directory, 'journal.ndjson')
  const bytes = (await disk.read(path)) ?? new Uint8Array()
  const usable = await findUsable(directory, disk, bytes)
  if (usable.newer) {
    const sentence = `${path} was written by a newer rehoboam; install that version to go on with this run`
    throw new RehoboamError('journal-newer', sentence, { path })
  }
  const { snapshot, events, keptBytes } = usable
  // A first line that is torn was never acknowledged to anybody. More than that, and somebody counts on this run.
  if (usable.bad && keptBytes === 0 && (bytes.includes(0x0a) || usable.ahead)) {
    const sentence = `nothing of ${path} can be used (${usable.bad.reason}); it is left as it is: bring it back from a backup`
    throw new RehoboamError('journal-unreadable', sentence, { path })
  }
  const repaired = usable.bad ? await setAside(directory, disk, bytes, usable) : null
  const file = await openAt(path, disk, keptBytes, events.length > 0)
  const seq = events.at(-1)?.seq ?? snapshot?.seq ?? 0
  const journal = new FileJournal(directory, disk, file, { seq, sum: crc32(bytes.subarray(0, keptBytes)) })
  return { journal, snapshot: snapshot && { seq: snapshot.seq, value: snapshot.value }, events, repaired }
}

/** A copy of everything from the first bad byte on, before anything is cut off. */
async function setAside(directory: string, disk: Disk, bytes: Uint8Array, { bad, ahead }: Usable) {
  const { reason, from } = bad!
  const aside = `journal.damaged-${from}-${bytes.length}`
  await disk.replace(join(directory, aside), bytes.subarray(from))
  const state = ahead ? await disk.read(join(directory, 'state.json')) : null
  if (state) await disk.replace(join(directory, `${aside}.state.json`), state)
  return { type: 'journal-repaired' as const, reason, aside, bytes: bytes.length - from }
}

/**
 * Cutting a file to a size also brings it to the disk. Whoever wrote the newest events may have died before that, and
 * nothing may be done about an event that a power cut could still take back. What a snapshot covers is there already.
 */
async function openAt(path: string, disk: Disk, size: number, isNew: boolean): Promise<AppendFile> {
  const file = await disk.openAppend(path)
  try {
    if (isNew || file.size !== size) await file.truncate(size)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

class FileJournal implements Journal {
  readonly #directory: string
  readonly #disk: Disk
  readonly #file: AppendFile
  #seq: number
  /** Of everything in the file: a snapshot says by it which journal it was made from. */
  #sum: number
  /** Half a line stands behind the last whole one and could not be taken back yet. */
  #torn = false

  constructor(directory: string, disk: Disk, file: AppendFile, at: { seq: number; sum: number }) {
    this.#directory = directory
    this.#disk = disk
    this.#file = file
    this.#seq = at.seq
    this.#sum = at.sum
  }

  get seq(): number {
    return this.#seq
  }

  async append(events: Stamped[], expectedSeq: number): Promise<void> {
    if (expectedSeq !== this.#seq) {
      const sentence = `the journal is at event ${this.#seq}, the writer believed ${expectedSeq}`
      throw new RehoboamError('journal-conflict', sentence, { expectedSeq, seq: this.#seq })
    }
    const lines = events.map(writeLine).join('')
    try {
      if (this.#torn) await this.#takeBack()
      this.#torn = true
      await this.#file.append(lines)
      this.#torn = false
    } catch (error) {
      if (this.#torn) await this.#takeBack().catch(() => {})
      const sentence = `the journal could not be written (${(error as Error).message}); free some disk space and try again`
      throw new RehoboamError('journal-write', sentence)
    }
    this.#seq = events.at(-1)?.seq ?? this.#seq
    this.#sum = crc32(lines, this.#sum)
  }

  async read(after: number): Promise<Stamped[]> {
    const bytes = (await this.#disk.read(join(this.#directory, 'journal.ndjson'))) ?? new Uint8Array()
    // What is being written at this moment may still be taken back.
    return legible(bytes).filter(event => event.seq > after && event.seq <= this.#seq)
  }

  async saveSnapshot(value: unknown): Promise<void> {
    const { size: bytes } = this.#file
    await writeSnapshot(this.#directory, this.#disk, { seq: this.#seq, bytes, sum: this.#sum, value })
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Half a line must not stay: the next append would make one unreadable line of two. */
  async #takeBack(): Promise<void> {
    await this.#file.truncate(this.#file.size)
    this.#torn = false
  }
}
