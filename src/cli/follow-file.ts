import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const LOOK_EVERY_MS = 200

/**
 * Prints what is added to a file after its first `from` bytes, until the signal. Reads a file that was replaced by a new one
 * from its start. Looks by itself, because `fs.watchFile` does not tell of what was added before its own first look.
 */
export async function followFile(
  path: string,
  from: number,
  leaving: AbortSignal,
  print: (line: string) => void,
): Promise<void> {
  let position = from
  let held = ''
  const look = () => {
    const added = readFrom(path, position)
    if (!added) return
    position = added.end
    const lines = (held + added.text).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) print(line)
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  await new Promise(resolve => leaving.addEventListener('abort', resolve, { once: true }))
  clearInterval(timer)
}

/** Null while the file is being replaced by a new one. */
function readFrom(path: string, position: number): { text: string; end: number } | null {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return null
  }
  try {
    const { size } = fstatSync(file)
    const start = size < position ? 0 : position
    const buffer = Buffer.alloc(size - start)
    const count = readSync(file, buffer, 0, buffer.length, start)
    return { text: buffer.toString('utf8', 0, count), end: start + count }
  } finally {
    closeSync(file)
  }
}
