import type { LoopDirectory } from '../../adapters/loop-directory.ts'
import { ownerOf } from './open.ts'

const LONGEST = 2_000_000

/**
 * state.json is ours alone. What somebody else made of it is kept aside before it is written anew, and said. What we wrote
 * last is known for as long as we live; after that only a file that does not even name its run is called altered.
 */
export class StateFiles {
  /** The newest texts of each run's: while one is being written, the one before may still be there. */
  readonly #written = new Map<string, string[]>()
  readonly #altered = new Set<string>()
  /** The last one who writes that of a run. */
  readonly #turns = new Map<string, Promise<void>>()

  write(directory: LoopDirectory, run: string, text: string): Promise<void> {
    return this.#inTurn(run, async () => {
      await this.#restore(directory, run)
      this.#written.set(run, [...(this.#written.get(run) ?? []), text].slice(-2))
      await directory.write('state.json', text)
    })
  }

  /** What is not ours is set aside, and ours put back. */
  restore(directory: LoopDirectory, run: string): Promise<void> {
    return this.#inTurn(run, () => this.#restore(directory, run))
  }

  /** True once after it was altered or gone. */
  wasAltered(run: string): boolean {
    return this.#altered.delete(run)
  }

  /** Whose directory it is, for as long as there is no more to say. */
  begin(directory: LoopDirectory, run: string): Promise<void> {
    return this.#inTurn(run, () => this.#begin(directory, run))
  }

  async #restore(directory: LoopDirectory, run: string): Promise<void> {
    const found = await directory.read('state.json', LONGEST)
    const written = this.#written.get(run)
    const isOurs = written ? found !== null && written.includes(found) : ownerOf(found) === run
    if (isOurs) return
    await directory.setAside('state.json', run)
    this.#altered.add(run)
    await this.#begin(directory, run, written?.at(-1))
  }

  async #begin(directory: LoopDirectory, run: string, text = `${JSON.stringify({ run })}\n`): Promise<void> {
    this.#written.set(run, [text])
    await directory.write('state.json', text)
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
