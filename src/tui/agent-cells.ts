import type { AgentStatus, AgentSummary } from '../contract/agent.ts'
import type { RunSummary } from '../contract/run.ts'
import { cellText } from '../view/cell-text.ts'
import type { Tone } from './row.ts'

/** The pieces that an agent is shown with, wherever it is shown. */

export const STATUS_TONES: Record<AgentStatus, Tone> = {
  attention: 'attention',
  failed: 'failed',
  working: 'working',
  compacting: 'working',
  starting: 'working',
  background: 'dim',
  waiting: 'text',
  gone: 'failed',
  done: 'done',
}

export const RUN_TONES: Record<RunSummary['status'], Tone> = {
  active: 'working',
  paused: 'attention',
  blocked: 'attention',
  complete: 'done',
  stalled: 'failed',
  failed: 'failed',
  cancelled: 'dim',
  'over-budget': 'failed',
}

export function folderOf(path: string): string {
  return cellText(path.split('/').filter(Boolean).at(-1) ?? path, 60) || '?'
}

/** What it is for: its role, and for a loop how far it has come. */
export function roleOf(agent: AgentSummary, run: RunSummary | undefined): string {
  const role = agent.role ? cellText(agent.role, 30) : ''
  if (run?.kind === 'loop') {
    const progress = `${run.iteration ?? 0}/${run.maxIterations ?? '?'}`
    const name = role && role !== 'auto' ? role : 'loop'
    if (run.status === 'stalled') return `${name} ${progress} stalled`
    return run.status === 'complete' ? `${name} ${progress} done` : `${name} ${progress}`
  }
  return role || (run ? run.kind : '')
}

/** By which task or step of its run it works. */
export function placeOf(agent: AgentSummary): string {
  if (!agent.run) return ''
  const dot = agent.run.indexOf('.')
  return cellText(dot === -1 ? agent.run : agent.run.slice(dot + 1), 64)
}

export function doingOf(agent: AgentSummary): string {
  return `${cellText(agent.doing, 200)}${agent.unsure ? ' ?' : ''}`
}
