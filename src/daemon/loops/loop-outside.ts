import { createHash } from 'node:crypto'
import { LoopDirectory } from '../../adapters/loop-directory.ts'
import type { LoopRun } from '../../core/loop/state.ts'
import type { PoolRun } from '../../core/pool/state.ts'
import type { Disk, Driver, Repository, Texts } from '../../ports.ts'
import type { Agents } from '../agents/agents.ts'
import type { Posting, Run } from '../runtime/run.ts'
import type { Environments } from '../sessions/environments.ts'
import type { GreenCache } from '../ward/green-cache.ts'
import type { Workplaces } from '../worktrees/workplaces.ts'
import type { StateFiles } from './state-file.ts'

/** What the deeds of loops use of the house. */
export type LoopOutside = {
  home: string
  disk: Disk
  /** For sessions beside those of the iterations: the judge's. */
  driver: Driver
  /** We stop; what runs goes on without us. */
  stopping: AbortSignal
  agents: Agents
  environments: Environments
  repository: Repository
  stateFiles: StateFiles
  workplaces: Workplaces
  /** What was green before needs not be run again. */
  greens: GreenCache
  directoryOf(run: string): string
  textsOf(run: string): Texts
  /** Posts until it is written: an outcome must not be lost to a full disk. */
  postSurely(run: Run, posting: Posting): Promise<void>
  log(line: string): void
  now(): number
}

export function loopOf(run: Pick<Run, 'id' | 'record'>): LoopRun {
  const { state } = run.record
  if (state.kind !== 'loop') throw new Error(`run ${run.id} is no loop`)
  return state
}

/** What a loop and a pool share: anchor, checks, judge, and what they began with. */
export function drivenOf(run: Run): LoopRun | PoolRun {
  const { state } = run.record
  if (state.kind !== 'loop' && state.kind !== 'pool') throw new Error(`run ${run.id} is no loop and no pool`)
  return state
}

export function loopDirectory({ disk }: Pick<LoopOutside, 'disk'>, state: Pick<LoopRun, 'loop'>): LoopDirectory {
  return new LoopDirectory(state.loop.directory, disk)
}

/** Names something in a journal that holds no texts. */
export function hashOf(...parts: string[]): string {
  return createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 16)
}

/** The same key gives the same id, so that an iteration that is prepared twice has one session. */
export function sessionIdOf(key: string): string {
  const hex = createHash('sha256').update(`session ${key}`).digest('hex')
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
