import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { diskUse } from '../../adapters/disk-use.ts'
import type { PruneAnswer } from '../../contract/checkpoint-api.ts'
import { rootOf } from '../../contract/ids.ts'
import { ENDED } from '../../contract/run.ts'
import type { RunState } from '../../core/run/run-state.ts'
import type { Repository } from '../../ports.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Workplaces } from './workplaces.ts'

type Pruning = { worktrees: string; repository: Repository; workplaces: Workplaces; runs: Run[] }

/** One worktree of ours: removed when its run has ended and nothing is lost with it, else said why not. */
export async function pruneWorktree(pruning: Pruning, name: string, answer: PruneAnswer): Promise<void> {
  const path = join(pruning.worktrees, name)
  const keep = (why: string) => void answer.kept.push({ what: path, why })
  const run = questOf(pruning.runs, name) ?? ownerOf(pruning.runs, name) ?? poolOf(pruning.runs, name)
  if (!run) return keep('no run of ours says that it is its')
  const waiting = [run, ...pruning.runs.filter(({ id }) => id === rootOf(run.id))].find(
    one => !ENDED.has(one.record.state.status),
  )
  if (waiting) return keep(`run ${waiting.id} is ${waiting.record.state.status}`)
  const bytes = await diskUse(path)
  const why = await removed(pruning, run, name, path)
  if (why !== null) return keep(why)
  await pruning.workplaces.freePorts(name)
  answer.removed.push({ what: path, bytes })
}

async function removed(pruning: Pruning, run: Run, name: string, path: string): Promise<string | null> {
  const { state } = run.record
  if ((state.kind === 'quest' || state.kind === 'pool') && name.startsWith(`${run.id}.`))
    return releaseStep(pruning, state, name.slice(run.id.length + 1))
  if (run.id === name) return release(pruning, state)
  if (state.kind === 'pool' && state.loop.directory === join(path, '.rehoboam')) return removeFiles(path)
  return remove(pruning, state, path)
}

/** Files for people about a pool that has ended: its truth is elsewhere. What somebody put beside them stays. */
async function removeFiles(path: string): Promise<string | null> {
  const others = (await readdir(path).catch(() => [])).filter(name => name !== '.rehoboam')
  if (others.length > 0) return `${JSON.stringify(others[0]!.slice(0, 80))} in it is not ours`
  await rm(path, { recursive: true, force: true })
  return null
}

/** Named as the run that works there, or after it what it is for: `<run>-ward`. The longest id that fits: children have their pool's. */
function ownerOf(runs: Run[], name: string): Run | undefined {
  const fitting = runs.filter(({ id }) => name === id || name.startsWith(`${id}-`))
  return fitting.sort((a, b) => b.id.length - a.id.length)[0]
}

/** The steps of a quest have names of their own, which no run has, or another one. */
function questOf(runs: Run[], name: string): Run | undefined {
  return runs.find(({ id, record }) => record.state.kind === 'quest' && name.startsWith(`${id}.`))
}

/** A place that was made ahead of a worker who never came. */
function poolOf(runs: Run[], name: string): Run | undefined {
  return runs.find(({ id, record }) => record.state.kind === 'pool' && name.startsWith(`${id}.`))
}

async function releaseStep({ workplaces }: Pruning, { id: run, spec }: RunState, task: string): Promise<string | null> {
  const released = await workplaces.release({ run, task }, spec.project).catch((error: Error) => ({
    removed: false as const,
    why: error.message,
  }))
  return released.removed ? null : released.why
}

/** Somebody worked there: what they did is proven to be kept first. */
async function release({ workplaces }: Pruning, state: RunState): Promise<string | null> {
  const worktree = state.kind === 'loop' ? state.loop.worktree : null
  if (!worktree) return 'its run does not work in a worktree'
  const released = await workplaces.release(worktree.branch, worktree.project).catch((error: Error) => ({
    removed: false as const,
    why: error.message,
  }))
  return released.removed ? null : released.why
}

/** Only checks or readers were there. */
async function remove({ repository }: Pruning, state: RunState, path: string): Promise<string | null> {
  const isGone = await repository.removeWorktree({ repository: checkoutOf(state), path }).catch(() => false)
  return isGone ? null : 'git does not know it as a worktree of ours'
}

/** The user's own checkout, which stays when a worktree goes. */
export function checkoutOf(state: RunState): string {
  return (state.kind === 'loop' ? state.loop.worktree?.project : null) ?? state.spec.project
}
