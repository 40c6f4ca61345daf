import type { LoopDirectory } from '../../adapters/loop-directory.ts'
import { ownerOf } from './open-loop.ts'

const LONGEST = 2_000_000

/**
 * Writes state.json, which is ours alone. What somebody else made of it is overwritten, and said. What we wrote last is known
 * for as long as the daemon lives. After that only a file that does not name its run is called altered.
 */
export class StateFiles {
  /** The last text of each run. */
  readonly #written = new Map<string, string>()
  readonly #altered = new Set<string>()
  /** The last one who writes that of a run. */
  readonly #turns = new Map<string, Promise<void>>()

  write(directory: LoopDirectory, run: string, text: string): Promise<void> {
    return this.#inTurn(run, async () => {
      await this.#look(directory, run)
      await this.#put(directory, run, text)
    })
  }

  /** Puts ours back where it was altered or is gone. */
  restore(directory: LoopDirectory, run: string): Promise<void> {
    return this.#inTurn(run, async () => {
      if (await this.#look(directory, run)) return
      await this.#put(directory, run, this.#written.get(run) ?? beginning(run))
    })
  }

  /** True once after it was altered or gone. */
  wasAltered(run: string): boolean {
    return this.#altered.delete(run)
  }

  /** Whose directory it is, for as long as there is no more to say. */
  begin(directory: LoopDirectory, run: string): Promise<void> {
    return this.#inTurn(run, () => this.#put(directory, run, beginning(run)))
  }

  /** True when ours stands there. */
  async #look(directory: LoopDirectory, run: string): Promise<boolean> {
    const found = await directory.read('state.json', LONGEST)
    const written = this.#written.get(run)
    const isOurs = written === undefined ? ownerOf(found) === run : found === written
    if (!isOurs) this.#altered.add(run)
    return isOurs
  }

  async #put(directory: LoopDirectory, run: string, text: string): Promise<void> {
    await directory.write('state.json', text)
    this.#written.set(run, text)
  }

  /** What is written beside a run meets its deeds: who looks while another one writes would take ours for somebody else's. */
  #inTurn(run: string, deed: () => Promise<void>): Promise<void> {
    const done = (this.#turns.get(run) ?? Promise.resolve()).then(deed)
    this.#turns.set(
      run,
      done.catch(() => {}),
    )
    return done
  }
}

function beginning(run: string): string {
  return `${JSON.stringify({ run })}\n`
}
