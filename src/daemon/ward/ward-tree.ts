import { join } from 'node:path'
import { lockHash } from '../../adapters/ward/lock-files.ts'
import { toolVersions } from '../../adapters/ward/tool-versions.ts'
import { readWardFiles } from '../../adapters/ward/ward-files.ts'
import type { CommandResult, WardCommand } from '../../contract/ward.ts'
import { wardEnvironment } from '../../core/ward/ward-environment.ts'
import { toolsOf } from '../../core/ward/ward-tools.ts'
import { prepareWorktree, type WorktreeSetup } from '../worktrees/prepare-worktree.ts'
import { hashOfCommands } from './find-ward.ts'
import type { GreenCache, GreenKey } from './green-cache.ts'
import { runWard } from './run-ward.ts'

export type TreeWard = {
  /** The hash of the tree that the worktree holds, and nothing beside it but what setups and wards left. */
  tree: string
  setup: WorktreeSetup
  commands: Pick<WardCommand, 'command'>[]
  timeLimitMs: number
  outputDirectory: string
  key: string
  cache: GreenCache
  stopAtFirstRed?: boolean
  /** What its checks have in their environment beside what the setup gives: ports of their own. */
  own?: Record<string, string>
}

type WardedTree = {
  results: CommandResult[]
  cancelled: boolean
  /** The same tree was green before, under the same circumstances: nothing was run. */
  cached: boolean
  notes: string[]
  /** The worktree could not be set up, so nothing was run; null otherwise. */
  problem: string | null
}

/** The ward on one tree in its clean worktree: from the cache, else set up, run, and kept if green. */
export async function wardTree(ward: TreeWard): Promise<WardedTree> {
  const { setup, commands, cache } = ward
  const key = await keyOf(ward)
  const known = await cache.get(key)
  if (known) return { results: known, cancelled: false, cached: true, notes: [], problem: null }
  const { more, notes, problem } = await prepareWorktree(setup)
  if (problem !== null) return { results: [], cancelled: false, cached: false, notes, problem }
  const result = await runWard({
    directory: join(setup.to, setup.project),
    commands,
    environment: setup.environment,
    more: { ...more, ...ward.own },
    timeLimitMs: ward.timeLimitMs,
    outputDirectory: ward.outputDirectory,
    key: ward.key,
    signal: setup.signal,
    stopAtFirstRed: ward.stopAtFirstRed ?? false,
  })
  await cache.put(key, result)
  return { ...result, cached: false, notes, problem: null }
}

async function keyOf({ tree, setup, commands }: TreeWard): Promise<GreenKey> {
  const directory = join(setup.to, setup.project)
  const lines = commands.map(({ command }) => command)
  const tools = toolsOf(setup.command === null ? lines : [...lines, setup.command], await readWardFiles(directory))
  return {
    tree,
    project: setup.project,
    commandsHash: hashOfCommands([...commands, ...(setup.command === null ? [] : [{ command: setup.command }])]),
    tools: await toolVersions(tools, directory, wardEnvironment(setup.environment)),
    // The checkout's too: one that is not under version control is in no tree, and decides all the same what was installed.
    lockHash: await lockHash([directory, setup.to, join(setup.from, setup.project), setup.from]),
  }
}
