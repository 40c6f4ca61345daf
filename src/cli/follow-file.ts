import { closeSync, openSync, readSync, statSync } from 'node:fs'

const LOOK_EVERY_MS = 200

/**
 * Prints what is added to a file after its first `from` bytes, until Ctrl-C. Reads a file that was replaced by a new one from
 * its start. Looks by itself, because `fs.watchFile` does not tell of what was added before its own first look.
 */
export function followFile(path: string, from: number, print: (line: string) => void): Promise<void> {
  let position = from
  let held = ''
  const look = () => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? position
    if (size === position) return
    if (size < position) position = 0
    const buffer = Buffer.alloc(size - position)
    const file = openSync(path, 'r')
    readSync(file, buffer, 0, buffer.length, position)
    closeSync(file)
    position = size
    const lines = (held + buffer.toString('utf8')).split('\n')
    held = lines.pop() ?? ''
    for (const line of lines) print(line)
  }
  return new Promise(resolve => {
    const timer = setInterval(look, LOOK_EVERY_MS)
    process.once('SIGINT', () => {
      clearInterval(timer)
      resolve()
    })
  })
}
