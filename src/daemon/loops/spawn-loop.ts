import { realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { LoopDirectory } from '../../adapters/loop-directory.ts'
import type { ConfigValues } from '../../config/keys.ts'
import type { LoopRequest, SpawnRequest } from '../../contract/api.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { isChild } from '../../contract/ids.ts'
import type { LoopSpec } from '../../contract/loop.ts'
import { ENDED } from '../../contract/run.ts'
import { criteriaOf } from '../../core/judge/criteria.ts'
import type { Disk, Repository, Texts } from '../../ports.ts'
import type { Runs } from '../runtime/runs.ts'
import type { WardPlans } from '../ward/ward-plans.ts'
import { refuseDirty } from '../worktrees/base.ts'
import type { Workplaces } from '../worktrees/workplaces.ts'
import { ownerOf, refuseBusyRepository } from './open-loop.ts'

const PROMPT_LIMIT = 1_000_000

export type LoopSpawning = {
  runs: Runs
  disk: Disk
  repository: Repository
  plans: WardPlans
  workplaces: Workplaces
}

/** The anchor of a loop that is about to exist, and everything that speaks against it. */
export async function anchorFor(outside: LoopSpawning, request: SpawnRequest): Promise<string> {
  const { directory } = request
  const { worktree = false, role, agreedDirty = false } = request.loop ?? {}
  if (worktree || role === 'planner') await refuseDirty(outside.repository, directory, agreedDirty)
  if (!worktree) await refuseSecond(outside.runs, loopDirectoryOf(directory))
  await refuseBusyRepository(outside, directory)
  if (request.prompt.trim()) return request.prompt
  const files = new LoopDirectory(loopDirectoryOf(directory), outside.disk)
  const isUsed = ownerOf(await files.read('state.json', PROMPT_LIMIT)) !== null
  const anchor = isUsed ? null : await files.read('anchor.md', PROMPT_LIMIT)
  if (anchor?.trim()) return anchor
  throw new RehoboamError('no-task', 'there is no task; give --prompt "<what to do>" or --prompt-file FILE')
}

export function loopDirectoryOf(project: string): string {
  return join(project, '.rehoboam')
}

/** A loop directory serves one live run: all state is keyed by run, but agents read files. `own` is whoever asks. */
export async function refuseSecond(runs: Runs, directory: string, own: string | null = null): Promise<void> {
  const place = await realPlace(directory)
  for (const { id, record } of runs.all()) {
    const { state } = record
    // A child's directory is its pool's, or in a worktree of its own.
    if (id === own || isChild(id) || state.kind === 'session' || ENDED.has(state.status)) continue
    if ((await realPlace(state.loop.directory)) !== place) continue
    throw new RehoboamError(
      'loop-directory-taken',
      `run ${id} works in ${directory} already; rehoboam cancel ${id} ends it, rehoboam resume ${id} goes on with it when it is paused, --worktree starts another one beside it`,
    )
  }
}

/** By whatever path somebody came there. The project may be away. */
export async function realPlace(directory: string): Promise<string> {
  const project = dirname(directory)
  return join(await realpath(project).catch(() => project), basename(directory))
}

export async function loopSpecOf(
  outside: LoopSpawning,
  request: SpawnRequest & { loop: LoopRequest },
  config: ConfigValues,
  texts: Texts,
  anchor: string,
): Promise<LoopSpec> {
  const { loop, directory } = request
  const plan = await outside.plans.of({
    directory,
    environment: request.environment,
    flags: request.flags,
    ward: loop.ward,
  })
  if (plan.needsAgreement && loop.agreed !== plan.hash) {
    const lines = [...plan.commands, ...plan.setup].map(({ command, from }) => `  ${command}  (${from})`).join('\n')
    throw new RehoboamError(
      'agreement-needed',
      `these commands were found in the project and would be run outside the client's permissions:\n${lines}\nrehoboam spawn --yes agrees to them, --no-ward goes without, --ward "<command>" names others`,
    )
  }
  if (plan.needsAgreement) await outside.plans.agree(directory, plan.hash)
  const files = new LoopDirectory(loopDirectoryOf(directory), outside.disk)
  const instructions = await files.read(`prompts/${loop.role}.md`, PROMPT_LIMIT)
  const commands = plan.commands.map(({ command }) => command)
  return {
    directory: loopDirectoryOf(directory),
    role: loop.role,
    maxIterations: config.maxIterations,
    stopWord: config.stopWord,
    stallAfter: config.stallAfter,
    judge: config.judge,
    judgePrompt: loop.judgePrompt ? await texts.put(loop.judgePrompt) : null,
    instructions: instructions?.trim() ? await texts.put(instructions) : null,
    ward: commands.length ? await texts.put(JSON.stringify(commands)) : null,
    wardTimeMs: config['ward.timeLimitSec'] * 1000,
    acceptRedBase: loop.acceptRedBase,
    criteria: criteriaOf(anchor).length,
    task: null,
    lessons: null,
    disposable: null,
    setup: await texts.put(
      JSON.stringify({ commands: plan.setup.map(({ command }) => command), copies: config['worktree.copies'] }),
    ),
    worktree: null,
  }
}
