import type { DoneTool } from './facts.ts'

const READS = new Set(['Read', 'Grep', 'Glob', 'LS', 'WebFetch', 'WebSearch', 'NotebookRead'])
const WRITES = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

/** What its last ten tools look like: reading only, writing, or reading again after it wrote. */
export function observedRole(recent: DoneTool[]): 'reader' | 'writer' | 'reviewer' | null {
  if (recent.length < 3) return null
  const lastWrite = recent.findLastIndex(({ name }) => WRITES.has(name))
  if (lastWrite === -1) return recent.every(({ name }) => READS.has(name)) ? 'reader' : null
  const after = recent.slice(lastWrite + 1)
  return after.length >= 3 && after.every(({ name }) => READS.has(name)) ? 'reviewer' : 'writer'
}

/** A planner that writes code, or a worker that only ever reads, is worth a mark. */
export function isMismatch(declared: string | null, observed: string | null): boolean {
  return declared === 'planner' && observed === 'writer'
}
