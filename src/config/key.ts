import type { Kind } from './kinds.ts'

/** One key. `what` says what it is; `reason` argues the default: why this one, and the price of being wrong. */
export type KeySpec<T> = {
  kind: Kind<T>
  default: NoInfer<T>
  what: string
  reason: string
  /** `run`: read when a run starts and kept for it. `daemon`: read when the daemon starts. */
  scope: 'run' | 'daemon'
  /** May a project's file, which comes with a clone, set it? `lower`: only to less than its user allows. */
  project: 'yes' | 'lower' | { no: string }
  flag?: `--${string}`
  /** Never printed: shown as "(set)". */
  secret?: boolean
}

/** Why a project's file may not set what is the daemon's. */
export const ONE_DAEMON = { no: 'one daemon serves all your projects' }

export function key<T>(spec: KeySpec<T>): KeySpec<T> {
  return spec
}
