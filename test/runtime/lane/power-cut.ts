import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Note } from './doom.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

/**
 * What a power cut leaves, once every process is gone: of each file what was synced, and of what was written later any
 * prefix, whole, torn or full of NUL; of files that nobody ever synced the same, or nothing. A file that was being
 * replaced is the old one or the new one. The client's own transcripts lose their last messages, or are gone.
 */
export function cutPower(world: World, random: Random): void {
  const sure = readNotes(world)
  for (const [path, copy] of sure.replacing) if (random.chance(0.5)) undo(path, copy)
  for (const [path, cut] of sure.truncating) {
    if (random.chance(0.5)) writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from(cut, 'base64')]))
  }
  for (const path of filesIn(world.home)) {
    if (!sure.replaced.has(path) || sure.size.has(path)) cut(path, sure.size.get(path), random)
  }
  for (const path of filesIn(world.transcripts)) cutTranscript(path, random)
  for (const run of world.runs()) removeEmpty(join(world.home, 'runs', run, 'turns'))
  // From here on this is what the disk holds, and no later cut takes any of it away.
  const notes = filesIn(world.home).map((path): Note => ({ op: 'synced', path, size: statSync(path).size }))
  writeFileSync(world.notes, [...notes, ...sure.checkpoints].map(note => `${JSON.stringify(note)}\n`).join(''))
}

function readNotes(world: World) {
  const size = new Map<string, number>()
  const truncating = new Map<string, string>()
  const replacing = new Map<string, string | null>()
  const replaced = new Set<string>()
  const checkpoints: Note[] = []
  for (const line of existsSync(world.notes) ? readFileSync(world.notes, 'utf8').split('\n').filter(Boolean) : []) {
    const note = JSON.parse(line) as Note
    if (note.op === 'synced') {
      size.set(note.path, note.size)
      truncating.delete(note.path)
    }
    if (note.op === 'checkpointed') checkpoints.push(note)
    if (note.op === 'truncating') truncating.set(note.path, note.cut)
    if (note.op === 'replacing') replacing.set(note.path, note.copy)
    if (note.op === 'replaced') {
      replacing.delete(note.path)
      replaced.add(note.path)
      size.delete(note.path)
    }
  }
  return { size, truncating, replacing, replaced, checkpoints }
}

function undo(path: string, copy: string | null): void {
  if (copy) copyFileSync(copy, path)
  else rmSync(path, { force: true })
}

export function cut(path: string, sure: number | undefined, random: Random): void {
  const { size } = statSync(path)
  if (sure === undefined && random.chance(0.35)) {
    rmSync(path)
    return
  }
  const from = Math.min(sure ?? 0, size)
  if (size === from || random.chance(0.25)) return
  const to = random.between(from, size)
  truncateSync(path, to)
  // A file system may have written down the new length and not yet the bytes.
  if (to > from && random.chance(0.2)) {
    const torn = random.between(from, to)
    const bytes = readFileSync(path).fill(0, torn)
    writeFileSync(path, bytes)
  }
}

/** Gone, or back to a whole message: what a client makes of half of one is its own affair. */
function cutTranscript(path: string, random: Random): void {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const kept = random.between(0, lines.length)
  if (kept === 0) rmSync(path)
  else
    writeFileSync(
      path,
      lines
        .slice(0, kept)
        .map(line => `${line}\n`)
        .join(''),
    )
}

function removeEmpty(turns: string): void {
  if (!existsSync(turns)) return
  for (const turn of readdirSync(turns)) {
    const path = join(turns, turn)
    if (readdirSync(path).length === 0) rmdirSync(path)
  }
}

function filesIn(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name !== 'daemon.lock')
    .map(entry => join(entry.parentPath, entry.name))
}
