import type { KeptEnvironment } from '../../contract/event.ts'
import { rootOf } from '../../contract/ids.ts'
import { accountText } from '../../core/account.ts'
import { besidesProxy, type SplitEnvironment } from '../../core/environment.ts'
import type { Tokens } from './tokens.ts'

/** The environments of runs, in memory only: what is not on the allow list is gone when the daemon is. */
export class Environments {
  readonly #home: string
  readonly #tokens: Tokens
  readonly #full = new Map<string, Record<string, string>>()

  constructor(home: string, tokens: Tokens) {
    this.#home = home
    this.#tokens = tokens
  }

  /** Remembers it for a run; returns the part that may be written down. */
  keep(run: string, split: SplitEnvironment): KeptEnvironment {
    this.#full.set(run, split.full)
    const { full, kept, credentials, others } = split
    return { kept, credentials, others, account: this.#tokens.seal(accountText(full, credentials)) }
  }

  forget(run: string): void {
    this.#full.delete(run)
  }

  /** What a session of this run gets, and which names are missing since a restart. */
  of(run: string, session: string, written: KeptEnvironment) {
    // A child has what its pool was started with.
    const full = this.#full.get(rootOf(run))
    const ours = { REHOBOAM_HOME: this.#home, REHOBOAM_RUN: run, REHOBOAM_TOKEN: this.#tokens.ofSession(session) }
    const environment: Record<string, string> = { ...besidesProxy(full ?? written.kept), ...ours }
    return { environment, missing: full ? [] : written.credentials, without: full ? [] : written.others }
  }
}
