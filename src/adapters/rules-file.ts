import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Rule, RulesFile } from '../contract/rule.ts'
import type { Disk } from '../ports.ts'

const EMPTY: RulesFile = { version: 1, next: 1, rules: [] }

/** `rules.json` in the state directory. One that cannot be read allows nothing, and is never overwritten. */
export async function readRules(path: string, disk: Disk): Promise<{ file: RulesFile; fault: string | null }> {
  const bytes = await disk.read(path)
  if (!bytes) return { file: EMPTY, fault: null }
  try {
    return { file: RulesFile.parse(JSON.parse(new TextDecoder().decode(bytes))), fault: null }
  } catch (error) {
    return {
      file: EMPTY,
      fault: `${path} cannot be used, so every rule asks: ${(error as Error).message.slice(0, 300)}`,
    }
  }
}

export async function writeRules(path: string, disk: Disk, next: number, rules: Rule[]): Promise<void> {
  await disk.replace(path, `${JSON.stringify({ version: 1, next, rules } satisfies RulesFile, null, 2)}\n`)
}

/** True when a path below a directory is, as far as it exists, what its name says: no link on the way leads elsewhere. */
export async function isPlainlyInside(path: string, directory: string): Promise<boolean> {
  const root = await realpath(directory).catch(() => null)
  if (root === null || !(path === directory || path.startsWith(`${directory}/`))) return false
  for (let part = path; part.length >= directory.length; part = dirname(part)) {
    const real = await realpath(part).catch(() => null)
    if (real !== null) return real === `${root}${part.slice(directory.length)}`
  }
  return false
}
