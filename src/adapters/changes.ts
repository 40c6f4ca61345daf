import { type FSWatcher, watch } from 'node:fs'

/** Changes in one directory, as something to wait for. A change between `arm` and `wait` is not lost. */
export class Changes {
  #watcher: FSWatcher | null = null
  #changed = false
  onChange: () => void = () => {}

  constructor(directory: string) {
    try {
      this.#watcher = watch(directory, () => {
        this.#changed = true
        this.onChange()
      })
      this.#watcher.on('error', () => this.close())
    } catch {
      // Out of watches, or the directory is not there yet: those who wait look again by themselves.
    }
  }

  /** False where there is nothing to watch (yet). */
  get isWatching(): boolean {
    return this.#watcher !== null
  }

  arm(): void {
    this.#changed = false
  }

  wait(forMs: number, signal: AbortSignal): Promise<void> {
    if (this.#changed || signal.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        this.onChange = () => {}
        resolve()
      }
      const timer = setTimeout(done, forMs)
      signal.addEventListener('abort', done)
      this.onChange = done
    })
  }

  close(): void {
    this.#watcher?.close()
    this.#watcher = null
  }
}
