import * as z from 'zod'
import { CAUSES, ENDED_STATUSES } from './causes.ts'

export const RunStatus = z.enum([
  'active',
  'paused',
  'blocked',
  'complete',
  'stalled',
  'failed',
  'cancelled',
  'over-budget',
])
export type RunStatus = z.infer<typeof RunStatus>

export const ENDED: ReadonlySet<RunStatus> = new Set(ENDED_STATUSES)

export type Cause = keyof typeof CAUSES
export const Cause = z.enum(Object.keys(CAUSES) as [Cause, ...Cause[]])
