import { join } from 'node:path'
import { Changes } from '../../adapters/changes.ts'
import { type RegisteredSession, registeredSessions } from '../../adapters/claude/session-registry.ts'

// Where the file system does not tell of changes, and for processes that die without touching a file.
const LOOK_EVERY_MS = 1_000

/** Running sessions as the client itself notes them, in every configuration directory that we have heard of. */
export class Sightings {
  readonly #directories = new Map<string, Changes>()
  readonly #seen: (directory: string, sessions: RegisteredSession[]) => void
  #timer: NodeJS.Timeout | null = null
  #again = false
  #looking: Promise<void> | null = null

  constructor(seen: (directory: string, sessions: RegisteredSession[]) => void) {
    this.#seen = seen
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS)
    this.look()
  }

  /** Another place to look at. */
  add(configDirectory: string): void {
    if (!configDirectory.startsWith('/') || this.#directories.has(configDirectory)) return
    const changes = new Changes(join(configDirectory, 'sessions'))
    changes.onChange = () => this.look()
    this.#directories.set(configDirectory, changes)
    this.look()
  }

  /** One look at a time; a wish for another one meanwhile is not forgotten. */
  look(): void {
    this.#again = true
    this.#looking ??= this.#lookOn().finally(() => {
      this.#looking = null
    })
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer)
    for (const changes of this.#directories.values()) changes.close()
  }

  async #lookOn(): Promise<void> {
    while (this.#again) {
      this.#again = false
      for (const directory of this.#directories.keys()) this.#seen(directory, await registeredSessions(directory))
    }
  }
}
