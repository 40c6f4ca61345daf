import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A secret by the door through which it came in, and where something held it. */
export type Find = { door: string; where: string }
export type Secrets = Record<string, string | Buffer>

/** Command lines and environments of every process of this machine that mentions the directory, or is given. */
export function processes(root: string): { pid: number; command: string; environment: string }[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(pid => ({
      pid: Number(pid),
      command: read(`/proc/${pid}/cmdline`),
      environment: read(`/proc/${pid}/environ`),
    }))
    .filter(({ command, environment }) => command.includes(root) || environment.includes(root))
}

/** Every command line of the machine, of whosever process: `ps` shows them to everybody. */
export function onCommandLines(secrets: Secrets): Find[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.flatMap(pid => inText(secrets, read(`/proc/${pid}/cmdline`), `command line of ${pid}`))
}

export function inText(secrets: Secrets, text: string, where: string): Find[] {
  const bytes = Buffer.from(text, 'latin1')
  return Object.entries(secrets)
    .filter(([, secret]) => text.includes(String(secret)) || bytes.includes(secret))
    .map(([door]) => ({ door, where }))
}

/** Every file below a directory, by its path there; numbers and ids folded, so that a list of places can be written down. */
export function inFiles(secrets: Secrets, root: string, leaveOut: string[] = []): Find[] {
  return unmoved(() =>
    filesIn(root)
      .filter(path => !leaveOut.some(start => path.startsWith(join(root, start))))
      .flatMap(path => {
        const bytes = readFileSync(path)
        const where = folded(relative(root, path))
        return Object.entries(secrets)
          .filter(([, secret]) => bytes.includes(secret))
          .map(([door]) => ({ door, where }))
      }),
  )
}

export function modesIn(root: string): { path: string; kind: 'file' | 'directory' | 'socket'; mode: number }[] {
  return unmoved(() => {
    const entries = readdirSync(root, { recursive: true, encoding: 'utf8' }).map(name => join(root, name))
    return [root, ...entries].map(path => {
      const stats = lstatSync(path)
      const kind = stats.isDirectory() ? 'directory' : stats.isSocket() ? 'socket' : 'file'
      return { path: folded(relative(root, path)) || '.', kind, mode: stats.mode & 0o777 }
    })
  })
}

/** What is written by temp and rename may go between the list and the look: then the list is an old one, and made anew. */
function unmoved<T>(look: () => T): T {
  for (;;) {
    try {
      return look()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

function filesIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
}

function folded(path: string): string {
  return path
    .replace(/\bruns\/[a-z0-9]{8}\b/, 'runs/RUN')
    .replace(/\bturns\/\d+\b/, 'turns/N')
    .replace(/\btexts\/[0-9a-f]{64}\b/, 'texts/HASH')
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
