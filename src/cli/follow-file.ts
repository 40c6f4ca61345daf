import { closeSync, openSync, readSync, statSync, unwatchFile, watchFile } from 'node:fs'

/** Prints what is added to a file, until Ctrl-C. A file that was replaced by a new one is read from its start. */
export function followFile(path: string, print: (line: string) => void): Promise<void> {
  let position = statSync(path).size
  let held = ''
  return new Promise(resolve => {
    watchFile(path, { interval: 200 }, ({ size }) => {
      if (size < position) position = 0
      const buffer = Buffer.alloc(size - position)
      const file = openSync(path, 'r')
      readSync(file, buffer, 0, buffer.length, position)
      closeSync(file)
      position = size
      const lines = (held + buffer.toString('utf8')).split('\n')
      held = lines.pop() ?? ''
      for (const line of lines) print(line)
    })
    process.once('SIGINT', () => {
      unwatchFile(path)
      resolve()
    })
  })
}
