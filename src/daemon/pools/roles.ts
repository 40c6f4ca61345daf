import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HookEvent } from '../../contract/hook.ts'
import { type Guarded, refusalOf } from '../../core/pool/role-guard.ts'
import { sessionOf } from '../../core/run-state.ts'
import type { Runs } from '../runtime/runs.ts'

type PreToolUse = Extract<HookEvent, { name: 'PreToolUse' }>

/** What planners and workers are told before a tool runs that is not for them. */
export class Roles {
  readonly #runs: Runs
  readonly #home: string

  constructor(runs: Runs, home: string) {
    this.#runs = runs
    this.#home = home
  }

  refusalOf(event: HookEvent & PreToolUse): string | null {
    const guarded = this.#guardedBy(event)
    return guarded && refusalOf(guarded, event.tool, event.input)
  }

  #guardedBy({ session, cwd }: HookEvent & PreToolUse): Guarded | null {
    const run = this.#runs.all().find(({ record }) => sessionOf(record.state)?.spec.session === session)
    const state = run?.record.state
    if (state?.kind !== 'loop' || state.loop.role === 'auto') return null
    const { role, directory, disposable, worktree } = state.loop
    return {
      role,
      directory,
      root: disposable?.path ?? dirname(directory),
      cwd: cwd || state.spec.project,
      home: homedir(),
      others: [join(this.#home, 'worktrees'), join(this.#home, 'runs'), ...(worktree ? [worktree.project] : [])],
    }
  }
}
