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

/** True when a path, as far as it exists, really lies in a directory: no link on the way leads out of it. */
export async function staysInside(path: string, directory: string): Promise<boolean> {
  const root = await realpath(directory).catch(() => null)
  if (root === null) return false
  for (let part = path; ; part = dirname(part)) {
    const real = await realpath(part).catch(() => null)
    if (real !== null) return real === root || real.startsWith(`${root}/`)
    if (part === dirname(part)) return false
  }
}
