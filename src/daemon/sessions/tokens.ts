import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { SessionId } from '../../contract/ids.ts'
import type { Disk } from '../../ports.ts'

// A session signs every one of its events, and at most a few dozen run at once.
const REMEMBERED = 200

/** A session's token is its id, signed: nothing to store, and good across restarts for sessions that outlive us. */
export class Tokens {
  readonly #key: KeyObject
  readonly #right = new Map<string, Buffer>()

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key)
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

  /** The same for the same text, and nobody can tell the text from it. */
  seal(text: string): string {
    return createHmac('sha256', this.#key).update(`seal:${text}`).digest('base64url').slice(0, 22)
  }

  /** The session that a token speaks for, or null. */
  sessionOf(token: string): string | null {
    const session = token.slice(0, token.indexOf('.'))
    const known = this.#right.get(session)
    if (!known && !SessionId.safeParse(session).success) return null
    // As text: decoding would accept several spellings of one signature.
    const [given, right] = [Buffer.from(token), known ?? Buffer.from(this.ofSession(session))]
    if (given.length !== right.length || !timingSafeEqual(given, right)) return null
    if (!known) this.#remember(session, right)
    return session
  }

  #remember(session: string, right: Buffer): void {
    this.#right.set(session, right)
    if (this.#right.size > REMEMBERED) this.#right.delete(this.#right.keys().next().value!)
  }
}
