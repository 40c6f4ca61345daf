import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROLE_FILE_LIMIT } from '../contract/role-file.ts'

export type FoundRole = { path: string; name: string } & ({ text: string } | { wrong: string })

const MOST_ROLES = 50

/** The role files of a directory, by name; none when there is no such directory. What is not one is left alone. */
export async function findRoleFiles(directory: string): Promise<FoundRole[]> {
  const entries = await readdir(directory).catch(() => [])
  const names = entries.filter(entry => entry.endsWith('.md') && !entry.startsWith('.')).sort()
  const found = await Promise.all(
    names.slice(0, MOST_ROLES).map(async entry => {
      const path = join(directory, entry)
      return { path, name: entry.slice(0, -3), ...(await read(path)) }
    }),
  )
  const rest = names[MOST_ROLES]
  if (rest === undefined) return found
  return [...found, { path: join(directory, rest), name: rest, wrong: `there are more than ${MOST_ROLES} roles` }]
}

async function read(path: string): Promise<{ text: string } | { wrong: string }> {
  try {
    const { size, isFile } = await lstat(path).then(stat => ({ size: stat.size, isFile: stat.isFile() }))
    // A link in a clone may lead to somebody's keys, and what is read here goes into a prompt.
    if (!isFile) return { wrong: 'it is not a file of its own (a link, or a directory)' }
    // In bytes, so the bound on characters is the stricter one and still tells where.
    if (size > ROLE_FILE_LIMIT * 4) return { wrong: `it is longer than ${ROLE_FILE_LIMIT} characters` }
    return { text: await readFile(path, 'utf8') }
  } catch (error) {
    return { wrong: `it cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})` }
  }
}
