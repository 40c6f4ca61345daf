import type { CheckpointRequest } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import { loopOf } from '../runtime/run-kinds.ts'
import { setupOf } from '../worktrees/setup-of.ts'
import type { Workplace } from '../worktrees/workplaces.ts'
import type { LoopOutside } from './loop-outside.ts'

/** What a loop with a worktree of its own needs of it; nothing of this is asked of one that works in place. */

/** Makes the worktree, or finds it as it was left. */
export async function openWorkplace(outside: LoopOutside, run: Run, signal = outside.stopping): Promise<Workplace> {
  const { loop, spec, environment } = loopOf(run)
  const { project, branch, base } = loop.worktree!
  return outside.workplaces.open({
    branch,
    project,
    base,
    environment: outside.environments.of(run.id, spec.session, environment).environment,
    setup: await setupOf(outside, run),
    runDirectory: outside.directoryOf(run.id),
    signal,
  })
}

/** What a person should know of how it was set up. A pool opens the place of a worker before there is one. */
export async function setUpWords(outside: LoopOutside, run: Run): Promise<string[]> {
  const { branch } = loopOf(run).loop.worktree!
  const { root, notes, problem } = outside.workplaces.known(branch) ?? (await openWorkplace(outside, run))
  const where = `it works in ${root}, on branch ${branch.task === null ? `rehoboam/${branch.run}` : `rehoboam-work/${branch.run}/${branch.task}`}`
  return [where, ...notes, ...(problem === null ? [] : [problem])]
}

/** What sessions and wards of the loop have in their environment beside their user's. */
export async function ownEnvironment(outside: LoopOutside, run: Run): Promise<Record<string, string>> {
  const { loop } = loopOf(run)
  if (!loop.worktree) return {}
  return (outside.workplaces.known(loop.worktree.branch) ?? (await openWorkplace(outside, run))).environment
}

/** In a worktree what is left becomes a commit on its branch, which is the checkpoint as well. */
export async function keepTree(outside: LoopOutside, run: Run, request: Omit<CheckpointRequest, 'run' | 'directory'>) {
  const { loop, spec } = loopOf(run)
  if (!loop.worktree) return outside.repository.checkpoint({ ...request, directory: spec.project, run: run.id })
  const { project, branch } = loop.worktree
  const { iteration, subject } = request
  const base = iteration === 0 && outside.workplaces.known(branch)?.base
  if (base) return { ...base, leftOut: [] }
  const path = outside.workplaces.pathOf(branch)
  return outside.repository.commitLeft({ repository: project, path, branch, iteration, subject })
}
