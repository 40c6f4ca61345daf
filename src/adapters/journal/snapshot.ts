import { join } from 'node:path'
import type { Disk } from '../../ports.ts'
import { seal, unseal } from './seal.ts'

/** state.json: a run's state, and the part of the journal that it was built from: up to which event, byte and sum. */
export type Snapshot = { seq: number; bytes: number; sum: number; value: unknown }

/** Changes whenever the state's shape or the form of a journal line does: then the journal is read instead of an older snapshot. */
const SNAPSHOT_VERSION = 6

export async function writeSnapshot(directory: string, disk: Disk, snapshot: Snapshot): Promise<void> {
  await disk.replace(join(directory, 'state.json'), seal({ v: SNAPSHOT_VERSION, ...snapshot }))
}

/** A snapshot that is damaged, of another version, or not there, is worth nothing and costs nothing. */
export async function readSnapshot(directory: string, disk: Disk): Promise<Snapshot | null> {
  const bytes = await disk.read(join(directory, 'state.json'))
  const found = bytes && unseal(new TextDecoder().decode(bytes).trimEnd())
  if (!found || found.v !== SNAPSHOT_VERSION) return null
  const { seq, bytes: length, sum, value } = found
  if (typeof seq !== 'number' || typeof length !== 'number' || typeof sum !== 'number' || length < 1) return null
  return { seq, bytes: length, sum, value }
}
