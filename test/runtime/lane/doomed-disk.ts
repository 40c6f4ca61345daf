import { appendFileSync, copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { AppendFile, Disk } from '../../../src/ports.ts'
import type { Doom } from './doom.ts'

/**
 * The real disk with a witness: what is surely on it is noted outside, so that a power cut can be played afterwards.
 * Only what a call has returned from counts as sure.
 */
export function doomedDisk(disk: Disk, doom: Doom): Disk {
  return {
    read: path => doom.around('read', () => disk.read(path)),
    makeDirectory: path => doom.around('makeDirectory', () => disk.makeDirectory(path)),
    openAppend: path =>
      doom.around('openAppend', async () => {
        const file = await disk.openAppend(path)
        // Its name is sure now. What was in it already counts from its first sync on.
        if (file.size === 0) doom.note({ op: 'synced', path, size: 0 })
        return appendFile(path, file, doom)
      }),
    replace: (path, content) =>
      doom.around(
        `replace ${basename(path)}`,
        async () => {
          noteReplacing(path, doom)
          await disk.replace(path, content)
          doom.note({ op: 'replaced', path })
        },
        async () => {
          noteReplacing(path, doom)
          if (doom.plan.part < 0.5)
            writeFileSync(`${path}.0.0.tmp`, content.slice(0, content.length / 2), { mode: 0o600 })
          else await disk.replace(path, content)
        },
      ),
  }
}

let copies = 0

function noteReplacing(path: string, doom: Doom): void {
  const copy = existsSync(path) ? join(doom.plan.copies, `${process.pid}-${++copies}`) : null
  if (copy) copyFileSync(path, copy)
  doom.note({ op: 'replacing', path, copy })
}

function appendFile(path: string, file: AppendFile, doom: Doom): AppendFile {
  return {
    get size() {
      return file.size
    },
    append: content =>
      doom.around(
        'append',
        async () => {
          await file.append(content)
          doom.note({ op: 'synced', path, size: file.size })
        },
        () => appendFileSync(path, Buffer.from(content).subarray(0, Math.floor(content.length * doom.plan.part))),
      ),
    truncate: size =>
      doom.around(
        'truncate',
        async () => {
          noteTruncating(path, size, doom)
          await file.truncate(size)
          doom.note({ op: 'synced', path, size })
        },
        async () => {
          noteTruncating(path, size, doom)
          await file.truncate(size)
        },
      ),
    close: () => file.close(),
  }
}

function noteTruncating(path: string, size: number, doom: Doom): void {
  doom.note({ op: 'truncating', path, cut: readFileSync(path).subarray(size).toString('base64') })
}
