import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { diskUse } from '../../adapters/disk-use.ts'
import type { DiffAnswer, PruneAnswer, RestoreAnswer, RestoreRequest } from '../../contract/checkpoint-api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { isChild } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import { shellWord } from '../../contract/shell-word.ts'
import type { LoopRun } from '../../core/loop/loop-state.ts'
import type { PoolRun } from '../../core/pool/pool-state.ts'
import type { QuestRun } from '../../core/quest/quest-state.ts'
import type { Repository } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Runs } from '../runtime/runs.ts'
import { checkoutOf, pruneWorktree } from '../worktrees/prune-worktree.ts'
import type { Workplaces } from '../worktrees/workplaces.ts'

/** What a person may do with the checkpoints of a loop. Nothing here touches their branch, index or files. */
export class Checkpoints {
  readonly #repository: Repository
  readonly #runs: Runs
  readonly #worktrees: string
  readonly #workplaces: Workplaces

  constructor(outside: { repository: Repository; runs: Runs; home: string; workplaces: Workplaces }) {
    this.#repository = outside.repository
    this.#workplaces = outside.workplaces
    this.#runs = outside.runs
    this.#worktrees = join(outside.home, 'worktrees')
  }

  /** From the base to the last checkpoint. */
  async diff(run: Run, stat: boolean): Promise<DiffAnswer> {
    const { state, base } = checkpointed(run)
    const last = state.kind === 'loop' ? lastOf(state) : null
    const to = (state.kind === 'loop' ? last?.facts?.checkpoint?.commit : state.tip) ?? base
    const { text, cut } = await this.#repository.diff({ directory: checkoutOf(state), from: base, to, stat })
    const iteration = state.kind === 'loop' ? (last?.n ?? 0) : state.merges
    return { from: base, to, iteration, text, cut }
  }

  /** Into a new branch or a new worktree, never over what is there. */
  async restore(run: Run, { iteration, branch, worktree }: RestoreRequest): Promise<RestoreAnswer> {
    const { state } = checkpointed(run)
    const directory = checkoutOf(state)
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
    return { commit: found.commit, branch: worktree ? null : name, worktree, directory }
  }

  /** Bytes of a run's directory and worktrees, and of what only its checkpoints keep in its repository. */
  async diskUse(run: Run, directory: string): Promise<number> {
    const names = await readdir(this.#worktrees).catch(() => [])
    const own = names.filter(name => name === run.id || name.startsWith(`${run.id}-`) || name.startsWith(`${run.id}.`))
    const places = [directory, ...own.map(name => join(this.#worktrees, name))]
    const [kept, ...files] = await Promise.all([this.#checkpointBytes(run), ...places.map(diskUse)])
    return files.reduce<number>((sum, bytes) => sum + (bytes ?? 0), kept)
  }

  async #checkpointBytes(run: Run): Promise<number> {
    const { state } = run.record
    if (state.kind === 'session' || !state.base) return 0
    return this.#repository.diskUseOf({ directory: checkoutOf(state), run: run.id }).catch(() => 0)
  }

  /** Removes what nobody can miss, and says what it kept. Checkpoints go only when somebody names their run. */
  async prune(named: string | null): Promise<PruneAnswer> {
    const answer: PruneAnswer = { removed: [], kept: [] }
    const runs = this.#runs.all()
    const pruning = { worktrees: this.#worktrees, repository: this.#repository, workplaces: this.#workplaces, runs }
    for (const name of await readdir(this.#worktrees).catch(() => [])) await pruneWorktree(pruning, name, answer)
    if (named !== null) await this.#dropCheckpoints(this.#runs.find(named), answer)
    else for (const run of runs) await this.#sayKept(run, answer)
    return answer
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
    const dropped = await this.#repository.dropRefs({ directory: checkoutOf(state), run: run.id })
    answer.removed.push({ what: `${dropped} checkpoints of run ${run.id}`, bytes })
  }

  async #sayKept(run: Run, answer: PruneAnswer): Promise<void> {
    const { state } = run.record
    // A child's are counted with its pool's.
    if (state.kind === 'session' || !state.base || !ENDED.has(state.status) || isChild(run.id)) return
    const directory = checkoutOf(state)
    const refs = await this.#repository.countRefs({ directory, run: run.id }).catch(() => 0)
    const why = `they may be the only copy of its work; rehoboam prune --checkpoints ${run.id} removes them`
    if (refs > 0) answer.kept.push({ what: `${refs} checkpoints of run ${run.id}`, why })
    const tip = await this.#repository.tipOf({ directory, branch: { run: run.id, task: null } }).catch(() => null)
    if (!tip) return
    const stands = await this.#standing(run.id, directory, state.base.commit, tip)
    // Git removes no branch that a worktree is on.
    const isInUse = answer.kept.some(({ what }) => what === join(this.#worktrees, run.id))
    const way = isInUse ? 'its worktree is kept, see above' : `${deletion(run.id, directory)} removes it`
    answer.kept.push({ what: `branch rehoboam/${run.id}`, why: `${stands}${way}` })
  }

  /** What a result branch still is to its user. */
  async #standing(run: string, directory: string, base: string, tip: string): Promise<string> {
    if (tip === base) return 'it has no commits of its own; '
    const head = (await this.#repository.repositoryAt(directory).catch(() => null))?.head
    const isIn =
      (head && (await this.#repository.isAncestor({ directory, commit: tip, of: head }).catch(() => false))) ||
      (await this.#repository.squashedAs({ directory, run, tip }).catch(() => null))
    return isIn ? 'your branch has it; ' : `it is the result; rehoboam merge ${run} brings it in, `
  }
}

/** Wherever it is typed: prune speaks of runs of all projects. */
function deletion(run: string, directory: string): string {
  return `git -C ${shellWord(directory)} branch -D rehoboam/${run}`
}

function checkpointed(run: Run): { state: LoopRun | PoolRun | QuestRun; base: string } {
  const { state } = run.record
  if (state.kind !== 'session' && state.base) return { state, base: state.base.commit }
  const why =
    state.kind === 'session' ? 'only loops, pools and quests have them' : 'its project is in no git repository'
  throw new RehoboamError('usage', `run ${run.id} has no checkpoints: ${why}`)
}

function lastOf(state: LoopRun) {
  return state.iterations.findLast(({ facts }) => facts?.checkpoint)
}
