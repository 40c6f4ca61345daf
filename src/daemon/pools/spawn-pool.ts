import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LoopDirectory } from '../../adapters/loop-directory.ts'
import type { ConfigValues } from '../../config/keys.ts'
import type { LoopRequest, SpawnRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import type { LoopSpec } from '../../contract/loop.ts'
import type { PoolSpec } from '../../contract/pool.ts'
import type { Texts } from '../../ports.ts'
import { type LoopSpawning, loopDirectoryOf, realPlace } from '../loops/spawn-loop.ts'
import type { Run } from '../runtime/live-run.ts'
import type { Runs } from '../runtime/runs.ts'

const PROMPT_LIMIT = 1_000_000
// A task that needs more fresh sessions than this was no small one.
const WORKER_ITERATIONS = 10

/** What a pool is beside a loop. */
export async function poolFor(
  { disk, workplaces }: LoopSpawning,
  id: string,
  { loop: asked, directory }: SpawnRequest & { loop: LoopRequest },
  config: ConfigValues,
  texts: Texts,
  loop: LoopSpec,
): Promise<{ loop: LoopSpec; pool: PoolSpec }> {
  const words = await new LoopDirectory(loopDirectoryOf(directory), disk).read('prompts/worker.md', PROMPT_LIMIT)
  const pool: PoolSpec = {
    autoSpawn: asked.autoSpawn,
    maxWorkers: config.maxWorkers,
    workerIterations: Math.min(config.maxIterations, WORKER_ITERATIONS),
    stopWord: config.stopWord,
    workerInstructions: words?.trim() ? await texts.put(words) : null,
  }
  if (!asked.worktree) return { loop, pool }
  // Beside another run in the same project: only the files for people are elsewhere, worktrees are its own anyway.
  const place = join(dirname(workplaces.pathOf({ run: id, task: null })), `${id}-loop`)
  await mkdir(place, { recursive: true, mode: 0o700 })
  return { loop: { ...loop, directory: loopDirectoryOf(place) }, pool }
}

/** The newest run whose tasks are in this directory. */
export async function newestQueue(runs: Runs, directory: string): Promise<Run> {
  const place = await realPlace(loopDirectoryOf(directory))
  const pools = runs.all().filter(({ record }) => record.state.kind === 'pool')
  for (const run of pools.sort((a, b) => b.record.state.createdAt - a.record.state.createdAt)) {
    const { state } = run.record
    if (state.kind === 'pool' && (await realPlace(state.loop.directory)) === place) return run
  }
  const sentence = `there are no tasks in ${directory}; rehoboam spawn --loop --role planner --prompt "<what to do>" plans some, --run names a run`
  throw new RehoboamError('task-none', sentence)
}
