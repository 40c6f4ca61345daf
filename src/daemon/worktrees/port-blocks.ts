import { createHash } from 'node:crypto'
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as z from 'zod'
import { RehoboamError } from '../../contract/errors.ts'
import type { Disk } from '../../ports.ts'

/** Enough for a server, its database, its workers and a debugger; few enough that six hundred worktrees have one each. */
const PORTS_EACH = 20
// Below the ports that Linux gives to outgoing connections (32768 and more), above what services are usually given.
const FIRST = 20_000
const BLOCKS = 630

const Kept = z.record(z.string(), z.number().int())

/** Which ports belong to which worktree, over restarts. One daemon owns the file, and asks for one block at a time. */
export class PortBlocks {
  readonly #disk: Disk
  readonly #path: string
  /** Two state directories on one machine begin at different places, so that they seldom meet. */
  readonly #start: number
  #last: Promise<unknown> = Promise.resolve()

  constructor(home: string, disk: Disk) {
    this.#disk = disk
    this.#path = join(home, 'ports.json')
    this.#start = createHash('sha256').update(home).digest().readUInt16BE(0) % BLOCKS
  }

  /** The first port of its block: the one that it has, else one of which no port is in use now. */
  take(name: string): Promise<number> {
    return this.#inTurn(async () => {
      const known = await this.#read()
      const own = known[name]
      if (own !== undefined) return own
      const taken = new Set(Object.values(known))
      for (let n = 0; n < BLOCKS; n++) {
        const first = FIRST + ((this.#start + n) % BLOCKS) * PORTS_EACH
        if (taken.has(first) || !(await areFree(first))) continue
        await this.#disk.replace(this.#path, `${JSON.stringify({ ...known, [name]: first })}\n`)
        return first
      }
      throw new RehoboamError('no-ports', 'all ports for worktrees are taken; rehoboam prune frees those of ended runs')
    })
  }

  /** The one that it has; null: none. */
  of(name: string): Promise<number | null> {
    return this.#inTurn(async () => (await this.#read())[name] ?? null)
  }

  free(name: string): Promise<void> {
    return this.#inTurn(async () => {
      const { [name]: own, ...others } = await this.#read()
      if (own !== undefined) await this.#disk.replace(this.#path, `${JSON.stringify(others)}\n`)
    })
  }

  async #read(): Promise<Record<string, number>> {
    const bytes = await this.#disk.read(this.#path)
    try {
      return bytes ? Kept.parse(JSON.parse(new TextDecoder().decode(bytes))) : {}
    } catch {
      // Damaged: blocks are given anew, and those whose servers run are passed over.
      return {}
    }
  }

  #inTurn<T>(deed: () => Promise<T>): Promise<T> {
    const done = this.#last.then(deed)
    this.#last = done.catch(() => {})
    return done
  }
}

async function areFree(first: number): Promise<boolean> {
  const ports = Array.from({ length: PORTS_EACH }, (_, n) => first + n)
  return (await Promise.all(ports.map(isFree))).every(Boolean)
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
