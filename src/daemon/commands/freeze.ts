import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ResumeRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { isChild } from '../../contract/ids.ts'
import type { Disk } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Runs } from '../runtime/runs.ts'
import type { Commands } from './commands.ts'

/** All runs at once: those that work are paused and written down, and exactly these go on again. */
export class Freeze {
  readonly #path: string
  readonly #disk: Disk
  readonly #runs: Runs
  readonly #commands: Pick<Commands, 'pause' | 'resume'>

  constructor(home: string, disk: Disk, runs: Runs, commands: Pick<Commands, 'pause' | 'resume'>) {
    this.#path = join(home, 'frozen.json')
    this.#disk = disk
    this.#runs = runs
    this.#commands = commands
  }

  /** The runs that were frozen now. Children are paused by the run that they belong to. */
  async freeze(): Promise<string[]> {
    const active = this.#runs.all().filter(({ id, record }) => !isChild(id) && record.state.status === 'active')
    const ids = active.map(({ id }) => id)
    // Before anything is paused: what is paused and not written down would be forgotten by thaw.
    await this.#write([...new Set([...(await this.#read()), ...ids])])
    return this.#each(active, run => this.#commands.pause(run))
  }

  /** The runs that go on. One that somebody has sent on or ended since is left as it is. */
  async thaw(environment: ResumeRequest['environment']): Promise<string[]> {
    const frozen = (await this.#read()).map(id => this.#runs.get(id)).filter(run => run !== null)
    const paused = frozen.filter(({ record }) => record.state.cause === 'paused-by-user')
    const gone = await this.#each(paused, run => this.#commands.resume(run, { text: null, environment }))
    await this.#write([])
    return gone
  }

  /** One that has ended meanwhile, or cannot go on, must not keep the others. */
  async #each(runs: Run[], change: (run: Run) => Promise<void>): Promise<string[]> {
    const done: string[] = []
    for (const run of runs) {
      try {
        await change(run)
        done.push(run.id)
      } catch (error) {
        if (!(error instanceof RehoboamError)) throw error
      }
    }
    return done
  }

  async #read(): Promise<string[]> {
    try {
      const ids = JSON.parse(await readFile(this.#path, 'utf8'))
      return Array.isArray(ids) ? ids.filter(id => typeof id === 'string') : []
    } catch {
      return []
    }
  }

  #write(ids: string[]): Promise<void> {
    return this.#disk.replace(this.#path, `${JSON.stringify(ids)}\n`)
  }
}
