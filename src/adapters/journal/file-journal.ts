import { join } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { AppendFile, Disk, Journal, OpenedJournal } from '../../ports.ts'
import { writeLine } from './line.ts'
import { type Scan, scan } from './scan.ts'
import { readSnapshot, writeSnapshot } from './snapshot.ts'

/**
 * A run's journal in a file. Opening it gives the newest snapshot that fits and the events after it. What cannot be
 * read is set aside whole, from the first bad byte on, and said: the good prefix is the truth.
 */
export async function openFileJournal(directory: string, disk: Disk): Promise<OpenedJournal> {
  const path = join(directory, 'journal.ndjson')
  const bytes = (await disk.read(path)) ?? new Uint8Array()
  const { snapshot, found } = await fitting(directory, disk, bytes)
  if (found.newer) {
    const sentence = `${path} was written by a newer rehoboam; install that version to go on with this run`
    throw new RehoboamError('journal-newer', sentence, { path })
  }
  const file = await disk.openAppend(path)
  const repaired = found.bad ? await setAside(directory, disk, file, bytes, found) : null
  const seq = found.events.at(-1)?.seq ?? snapshot?.seq ?? 0
  return { journal: new FileJournal(directory, disk, file, seq), snapshot, events: found.events, repaired }
}

/** A snapshot that is ahead of its journal, or stands beside a line's start, does not fit: the journal is read whole. */
async function fitting(directory: string, disk: Disk, bytes: Uint8Array) {
  const snapshot = await readSnapshot(directory, disk)
  const onBoundary = snapshot && snapshot.bytes <= bytes.length && bytes[snapshot.bytes - 1] === 0x0a
  if (!snapshot || !onBoundary) return { snapshot: null, found: scan(bytes, 0, 0) }
  const found = scan(bytes, snapshot.bytes, snapshot.seq)
  return { snapshot: { seq: snapshot.seq, value: snapshot.value }, found }
}

async function setAside(directory: string, disk: Disk, file: AppendFile, bytes: Uint8Array, found: Scan) {
  const bad = bytes.subarray(found.goodBytes)
  const aside = `journal.damaged-${found.goodBytes}-${bytes.length}`
  await disk.replace(join(directory, aside), bad)
  await file.truncate(found.goodBytes)
  const repaired: RunEventOf<'journal-repaired'> = {
    type: 'journal-repaired',
    reason: found.bad ?? '',
    aside,
    bytes: bad.length,
  }
  return repaired
}

class FileJournal implements Journal {
  readonly #directory: string
  readonly #disk: Disk
  readonly #file: AppendFile
  #seq: number
  #broken: Error | null = null

  constructor(directory: string, disk: Disk, file: AppendFile, seq: number) {
    this.#directory = directory
    this.#disk = disk
    this.#file = file
    this.#seq = seq
  }

  get seq(): number {
    return this.#seq
  }

  async append(events: Stamped[], expectedSeq: number): Promise<void> {
    if (this.#broken) throw this.#broken
    if (expectedSeq !== this.#seq) {
      const sentence = `the journal is at event ${this.#seq}, the writer believed ${expectedSeq}`
      throw new RehoboamError('journal-conflict', sentence, { expectedSeq, seq: this.#seq })
    }
    const before = this.#file.size
    try {
      await this.#file.append(events.map(writeLine).join(''))
    } catch (error) {
      await this.#takeBack(before)
      const sentence = `the journal could not be written (${(error as Error).message}); free some disk space and try again`
      throw new RehoboamError('journal-write', sentence)
    }
    this.#seq = events.at(-1)?.seq ?? this.#seq
  }

  async read(after: number): Promise<Stamped[]> {
    const bytes = (await this.#disk.read(join(this.#directory, 'journal.ndjson'))) ?? new Uint8Array()
    return scan(bytes, 0, 0).events.filter(event => event.seq > after)
  }

  async saveSnapshot(value: unknown): Promise<void> {
    await writeSnapshot(this.#directory, this.#disk, { seq: this.#seq, bytes: this.#file.size, value })
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Half a line must not stay: the next append would make one unreadable line of two. */
  async #takeBack(size: number): Promise<void> {
    try {
      await this.#file.truncate(size)
    } catch (error) {
      this.#broken = new RehoboamError('journal-broken', `the journal cannot be written: ${(error as Error).message}`)
    }
  }
}
