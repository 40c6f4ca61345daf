import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { SessionId } from '../../contract/ids.ts'
import type { Disk } from '../../ports.ts'

/** A session's token is its id, signed: nothing to store, and good across restarts for sessions that outlive us. */
export class Tokens {
  readonly #key: Uint8Array

  constructor(key: Uint8Array) {
    this.#key = key
  }

  static async open(path: string, disk: Disk): Promise<Tokens> {
    const found = await disk.read(path)
    if (found?.length === 32) return new Tokens(found)
    const key = randomBytes(32)
    await disk.replace(path, key)
    return new Tokens(key)
  }

  ofSession(session: string): string {
    const signature = createHmac('sha256', this.#key).update(`session:${session}`).digest('base64url')
    return `${session}.${signature}`
  }

  /** The session that a token speaks for, or null. */
  sessionOf(token: string): string | null {
    const session = token.slice(0, token.indexOf('.'))
    if (!SessionId.safeParse(session).success) return null
    // As text: decoding would accept several spellings of one signature.
    const [given, right] = [Buffer.from(token), Buffer.from(this.ofSession(session))]
    return given.length === right.length && timingSafeEqual(given, right) ? session : null
  }
}
