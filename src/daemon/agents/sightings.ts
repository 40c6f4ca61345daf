import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Changes } from '../../adapters/changes.ts'
import { type RegisteredSession, registeredSessions } from '../../adapters/claude/session-registry.ts'

// Where the file system does not tell of changes, and for processes that die without touching a file.
const LOOK_EVERY_MS = 1_000

// A person has one, or one for each account. Every one is looked at every second.
const MOST_DIRECTORIES = 32

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

  /** Looks at the user's own from now on, be it there yet or not. */
  start(own: string): void {
    this.#lookAt(own)
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS)
    this.look()
  }

  /** Another place to look at, if there is one: any session may name any. */
  add(configDirectory: string): void {
    if (!configDirectory.startsWith('/') || this.#directories.has(configDirectory)) return
    if (this.#directories.size >= MOST_DIRECTORIES || !isDirectory(configDirectory)) return
    this.#lookAt(configDirectory)
    this.look()
  }

  #lookAt(configDirectory: string): void {
    if (!this.#directories.has(configDirectory)) this.#directories.set(configDirectory, this.#watch(configDirectory))
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
      for (const [directory, changes] of this.#directories) {
        // The client makes it with its first note.
        if (!changes.isWatching) this.#directories.set(directory, this.#watch(directory))
        this.#seen(directory, await registeredSessions(directory))
      }
    }
  }

  #watch(configDirectory: string): Changes {
    const changes = new Changes(join(configDirectory, 'sessions'))
    changes.onChange = () => this.look()
    return changes
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
