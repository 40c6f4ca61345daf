import { isChild, rootOf } from '../contract/ids.ts'
import type { RunDetail, RunSummary } from '../contract/run.ts'

/** From outside: core has no dates. */
export type Iso = (ms: number) => string

/** A run as scripts and faces see it, but for what stands beside its journal. */
export type FromState = Omit<
  RunDetail,
  'prompt' | 'result' | 'notes' | 'directory' | 'diskBytes' | 'questions' | 'asks' | 'seq'
>

/** Returns an amount in USD to the sixth decimal: sums of floats carry noise behind it. */
export function roundedUsd(usd: number): number {
  return Math.round(usd * 1e6) / 1e6
}

type Beginning = Pick<RunSummary, 'id' | 'status' | 'cause'> & { createdAt: number; endedAt: number | null }

/** What is said of every kind of run in the same way. */
export function summaryHead({ id, status, cause, createdAt, endedAt }: Beginning, iso: Iso) {
  return {
    id,
    parent: isChild(id) ? rootOf(id) : null,
    status,
    cause,
    iteration: null,
    maxIterations: null,
    waitsUntil: null,
    steps: null,
    startedAt: iso(createdAt),
    endedAt: endedAt === null ? null : iso(endedAt),
  }
}
