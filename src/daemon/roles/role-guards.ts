import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { HookEvent } from '../../contract/hook.ts'
import { isChild, rootOf } from '../../contract/ids.ts'
import { roleNamed } from '../../core/quest/quest-state.ts'
import { type Guarded, refusalOf } from '../../core/role/guard.ts'
import type { SessionRun } from '../../core/session/session-state.ts'
import type { Runs } from '../runtime/runs.ts'

type PreToolUse = Extract<HookEvent, { name: 'PreToolUse' }>

/** What planners and workers are told before a tool runs that is not for them. */
export class RoleGuards {
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
    const run = this.#runs.findBySession(session)
    const state = run?.record.state
    if (state?.kind === 'session' && run) return this.#inQuest(run.id, state, cwd)
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

  /** By what its role may change, in the worktree that it works in. */
  #inQuest(id: string, { label, spec }: SessionRun, cwd: string): Guarded | null {
    const quest = isChild(id) ? this.#runs.get(rootOf(id))?.record.state : undefined
    const role = quest?.kind === 'quest' ? roleNamed(quest, label.role) : undefined
    if (quest?.kind !== 'quest' || !role) return null
    const worktrees = join(this.#home, 'worktrees')
    const below = spec.project.indexOf(`${worktrees}/`) === 0 ? spec.project.slice(worktrees.length + 1) : ''
    const root = below ? join(worktrees, below.split('/')[0]!) : spec.project
    return {
      role: role.changes === 'nothing' ? 'planner' : 'worker',
      called: role.name,
      ...(role.changes === 'tests' && { tests: quest.quest.testFiles }),
      directory: quest.loop.directory,
      root,
      cwd: cwd || spec.project,
      home: homedir(),
      others: [worktrees, join(this.#home, 'runs'), quest.spec.project],
    }
  }
}
