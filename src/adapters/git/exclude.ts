import { appendFile, mkdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { RehoboamError } from '../../contract/errors.ts'
import { mustHaveGround } from './git-place.ts'
import type { Git } from './run-git.ts'

const BEING_WRITTEN = '*.tmp'
const HEADING = '# rehoboam: files of its runs'

/**
 * Lets git overlook these entries of a directory, on this machine only: in the repository's own list, which is in no
 * commit. What stands there stays; what stands there already is not added again.
 */
export async function exclude(git: Git, directory: string, entries: string[]): Promise<void> {
  const { root, commonDir } = await mustHaveGround(git, directory)
  const below = relative(root, await realpath(directory))
  const patterns = entries.map(entry => {
    // Files that are just being written have numbers in their names.
    const [name, any] = entry.endsWith(BEING_WRITTEN)
      ? [entry.slice(0, -BEING_WRITTEN.length), BEING_WRITTEN]
      : [entry, '']
    return `/${literal(join(below, name).split(sep).join('/'))}${any}`
  })
  const path = join(commonDir, 'info', 'exclude')
  try {
    const before = await readFile(path).catch(nothing)
    const lines = before.toString('utf8').split(/\r?\n/)
    const missing = [...new Set(patterns)].filter(pattern => !lines.includes(pattern))
    if (missing.length === 0) return
    await mkdir(dirname(path), { recursive: true })
    const heading = lines.includes(HEADING) ? [] : [HEADING]
    const gap = before.length === 0 || before.at(-1) === 0x0a ? '' : '\n'
    await appendFile(path, `${gap}${[...heading, ...missing].join('\n')}\n`)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    throw new RehoboamError('git-exclude', `${path} cannot be written (${code}); make it writable for you`, { path })
  }
}

/** A pattern that means exactly this name. A newline has no way to be written; any one character stands for it. */
export function literal(name: string): string {
  return name
    .replace(/[\\*?[\]]/g, '\\$&')
    .replace(/^[!#]/, '\\$&')
    .replace(/[\r\n]/g, '?')
    .replace(/ +$/, spaces => '\\ '.repeat(spaces.length))
}

function nothing(error: NodeJS.ErrnoException): Buffer {
  if (error.code === 'ENOENT') return Buffer.alloc(0)
  throw error
}
