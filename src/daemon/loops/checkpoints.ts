import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { diskUse } from '../../adapters/disk-use.ts'
import type { DiffAnswer, PruneAnswer, RestoreAnswer, RestoreRequest } from '../../contract/checkpoint-api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { ENDED } from '../../contract/run.ts'
import type { LoopRun } from '../../core/loop/state.ts'
import type { Repository } from '../../ports.ts'
import type { Run } from '../runtime/run.ts'
import type { Runs } from '../runtime/runs.ts'

/** What a person may do with the checkpoints of a loop. Nothing here touches their branch, index or files. */
export class Checkpoints {
  readonly #repository: Repository
  readonly #runs: Runs
  readonly #worktrees: string

  constructor(outside: { repository: Repository; runs: Runs; home: string }) {
    this.#repository = outside.repository
    this.#runs = outside.runs
    this.#worktrees = join(outside.home, 'worktrees')
  }

  /** From the base to the last checkpoint. */
  async diff(run: Run, stat: boolean): Promise<DiffAnswer> {
    const { state, base } = checkpointed(run)
    const last = lastOf(state)
    const to = last?.facts?.checkpoint?.commit ?? base
    const { text, cut } = await this.#repository.diff({ directory: repositoryOf(state), from: base, to, stat })
    return { from: base, to, iteration: last?.n ?? 0, text, cut }
  }

  /** Into a new branch or a new worktree, never over what is there. */
  async restore(run: Run, { iteration, branch, worktree }: RestoreRequest): Promise<RestoreAnswer> {
    const { state } = checkpointed(run)
    const directory = repositoryOf(state)
    const found = (await this.#repository.refsOf({ directory, run: run.id })).find(ref => ref.iteration === iteration)
    if (!found) {
      throw new RehoboamError(
        'usage',
        `run ${run.id} has no checkpoint of iteration ${iteration}; rehoboam show ${run.id} lists its iterations (0 is what was there before)`,
      )
    }
    const name = branch ?? (worktree ? null : `rehoboam-restored/${run.id}-${iteration}`)
    const into = worktree ? { worktree } : { branch: name! }
    await this.#repository.restore({ directory, commit: found.commit, into })
    return { commit: found.commit, branch: worktree ? null : name, worktree }
  }

  /** Bytes of a run's directory, and of what only its checkpoints keep in its repository. */
  async diskUse(run: Run, directory: string): Promise<number> {
    const [files, kept] = await Promise.all([diskUse(directory), this.#checkpointBytes(run)])
    return (files ?? 0) + kept
  }

  async #checkpointBytes(run: Run): Promise<number> {
    const { state } = run.record
    if (state.kind !== 'loop' || !state.base) return 0
    return this.#repository.diskUseOf({ directory: repositoryOf(state), run: run.id }).catch(() => 0)
  }

  /** Removes what nobody can miss, and says what it kept. Checkpoints go only when somebody names their run. */
  async prune(named: string | null): Promise<PruneAnswer> {
    const answer: PruneAnswer = { removed: [], kept: [] }
    for (const name of await readdir(this.#worktrees).catch(() => [])) await this.#pruneWorktree(name, answer)
    if (named !== null) await this.#dropCheckpoints(this.#runs.find(named), answer)
    else for (const run of this.#runs.all()) await this.#sayKept(run, answer)
    return answer
  }

  async #pruneWorktree(name: string, answer: PruneAnswer): Promise<void> {
    const path = join(this.#worktrees, name)
    const run = this.#runs.all().find(({ id }) => name.startsWith(`${id}-`))
    const state = run?.record.state
    if (!state) return void answer.kept.push({ what: path, why: 'no run of ours says that it is its' })
    if (!ENDED.has(state.status))
      return void answer.kept.push({ what: path, why: `run ${state.id} is ${state.status}` })
    const bytes = await diskUse(path)
    const isGone = await this.#repository.removeWorktree({ repository: state.spec.project, path }).catch(() => false)
    if (isGone) answer.removed.push({ what: path, bytes })
    else answer.kept.push({ what: path, why: 'git does not know it as a worktree of ours' })
  }

  async #dropCheckpoints(run: Run, answer: PruneAnswer): Promise<void> {
    const { state } = checkpointed(run)
    if (!ENDED.has(state.status)) {
      throw new RehoboamError(
        'usage',
        `run ${run.id} is ${state.status}; its checkpoints are needed. rehoboam cancel ${run.id} ends it`,
      )
    }
    const bytes = await this.#checkpointBytes(run)
    const dropped = await this.#repository.dropRefs({ directory: repositoryOf(state), run: run.id })
    answer.removed.push({ what: `${dropped} checkpoints of run ${run.id}`, bytes })
  }

  async #sayKept(run: Run, answer: PruneAnswer): Promise<void> {
    const { state } = run.record
    if (state.kind !== 'loop' || !state.base || !ENDED.has(state.status)) return
    const refs = await this.#repository.refsOf({ directory: repositoryOf(state), run: run.id }).catch(() => [])
    if (refs.length === 0) return
    const why = `they may be the only copy of its work; rehoboam prune --checkpoints ${run.id} removes them`
    answer.kept.push({ what: `${refs.length} checkpoints of run ${run.id}`, why })
  }
}

function checkpointed(run: Run): { state: LoopRun; base: string } {
  const { state } = run.record
  if (state.kind === 'loop' && state.base) return { state, base: state.base.commit }
  const why = state.kind === 'loop' ? 'its project is in no git repository' : 'only loops have them'
  throw new RehoboamError('usage', `run ${run.id} has no checkpoints: ${why}`)
}

/** The user's own checkout, which stays when a worktree goes. */
function repositoryOf({ spec, loop }: LoopRun): string {
  return loop.worktree?.project ?? spec.project
}

function lastOf(state: LoopRun) {
  return state.iterations.findLast(({ facts }) => facts?.checkpoint)
}
