import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { realDisk } from '../../adapters/disk.ts'
import { readBounded } from '../../adapters/ward/bounded-file.ts'
import type { CommandResult, WardResult } from '../../contract/ward.ts'

/** All that a green result depends on. */
export type GreenKey = {
  tree: string
  /** The project's place in it: the same line is another check elsewhere. */
  project: string
  commandsHash: string
  tools: Record<string, string | null>
  lockHash: string
}

const Kept = z.object({
  results: z.array(
    z.object({
      command: z.string(),
      how: z.literal('green'),
      code: z.number().nullable(),
      why: z.string().nullable(),
      durationMs: z.number(),
      flaky: z.boolean(),
      output: z.string(),
    }),
  ),
})

// Some KB each. A result that is gone costs one more ward.
const MOST_KEPT = 1_000
const LARGEST = 1024 * 1024

/** Green results by what they were of. Red ones are not kept: they are run again, and again. */
export class GreenCache {
  readonly #directory: string
  readonly #most: number

  constructor(directory: string, most = MOST_KEPT) {
    this.#directory = directory
    this.#most = most
  }

  async get(key: GreenKey): Promise<CommandResult[] | null> {
    const path = this.#pathOf(key)
    const content = await readBounded(path, LARGEST)
    if (!content) return null
    try {
      const { results } = Kept.parse(JSON.parse(content.toString('utf8')))
      const now = new Date()
      await utimes(path, now, now).catch(() => {})
      return results
    } catch {
      return null
    }
  }

  /** Does nothing for a result that is not green throughout. */
  async put(key: GreenKey, { results, cancelled }: WardResult): Promise<void> {
    if (cancelled || results.length === 0 || results.some(({ how }) => how !== 'green')) return
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    await realDisk.replace(this.#pathOf(key), JSON.stringify({ results }))
    await this.#forgetOldest()
  }

  #pathOf({ tree, project, commandsHash, tools, lockHash }: GreenKey): string {
    const versions = Object.entries(tools).sort(([a], [b]) => (a < b ? -1 : 1))
    const parts = [tree, project, commandsHash, versions, lockHash, process.platform, process.arch]
    return join(this.#directory, `${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}.json`)
  }

  async #forgetOldest(): Promise<void> {
    const names = (await readdir(this.#directory)).filter(name => name.endsWith('.json'))
    if (names.length <= this.#most) return
    const used = await Promise.all(
      names.map(async name => {
        const path = join(this.#directory, name)
        return { path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 }
      }),
    )
    used.sort((a, b) => a.at - b.at)
    for (const { path } of used.slice(0, names.length - this.#most)) await rm(path, { force: true })
  }
}
