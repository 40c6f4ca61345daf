import type { StepState, StepView } from '../contract/quest.ts'
import type { RunDetail } from '../contract/run.ts'
import { cutTo, plainLine } from './plain.ts'
import { standingOf } from './quest-lines.ts'
import { table } from './run-words.ts'
import { costWords, durationWords } from './words.ts'

const MARKS: Partial<Record<StepState, string>> = {
  complete: '✓',
  working: '●',
  warding: '◐',
  queued: '◑',
  merging: '◑',
  asking: '?',
  resplit: '?',
  skipped: '–',
}

// Further in, a long chain would leave no room for words.
const DEEPEST = 6

/** A quest at a glance, for a terminal of that size: how far it is, and each step below what it depends on. */
export function questPicture(run: RunDetail, now: number, columns: number, rows: number): string[] {
  const { quest } = run
  if (!quest) return []
  const busy = quest.slots.filter(step => step !== null).length
  const head = [
    `${run.id}  ${plainLine(run.sentence)}`,
    `slots ${busy}/${quest.slots.length}`,
    costWords(run.costUsd) + (quest.maxCostUsd === null ? '' : ` of ${costWords(quest.maxCostUsd)}`),
    durationWords((run.endedAt ? Date.parse(run.endedAt) : now) - Date.parse(run.startedAt)),
  ]
  if (quest.waitsUntil) head.push(`limit for ${durationWords(Date.parse(quest.waitsUntil) - now)}`)
  const steps = quest.steps.filter(({ status }) => status !== 'dropped')
  const errand = (id: string) => quest.errands.filter(step => step.id === id)
  const all = [...errand('requirements'), ...errand('plan'), ...steps, ...errand('review')]
  const depths = depthsOf(steps)
  const lines = table(
    all.map(step => [
      `${'  '.repeat(Math.min(depths.get(step.id) ?? 0, DEEPEST))}${MARKS[step.status] ?? '○'} ${step.id}`,
      standingOf(step) + (step.slot === null ? '' : `, slot ${step.slot}`),
      step.costUsd ? costWords(step.costUsd) : '',
      step.title === step.id ? '' : plainLine(step.title, 60),
    ]),
    [2],
  )
  return [head.join('   '), ...fitting(all, lines, rows - 1).map(line => `  ${line}`)].map(line => cutTo(line, columns))
}

/** As many as there is room for: what is over, and then what has not begun, is told by its number. */
function fitting(steps: StepView[], lines: string[], room: number): string[] {
  if (lines.length <= room) return lines
  const isOver = (n: number) => steps[n]!.status === 'complete' || steps[n]!.status === 'skipped'
  const isIdle = (n: number) => steps[n]!.status === 'pending' || steps[n]!.status === 'ready'
  const every = lines.map((_, n) => n)
  const first = [...every.filter(n => !isOver(n) && !isIdle(n)), ...every.filter(isIdle), ...every.filter(isOver)]
  const shown = new Set(first.slice(0, Math.max(0, room - 1)))
  const left = every.filter(n => !shown.has(n))
  const over = left.filter(isOver).length
  const words = [over ? `${over} over` : '', left.length - over ? `${left.length - over} more` : '']
  return [...lines.filter((_, n) => shown.has(n)), `… ${words.filter(Boolean).join(', ')}`]
}

/** How many steps are before each one, on the longest way to it. A plan has no circles; one that had would end here too. */
function depthsOf(steps: StepView[]): Map<string, number> {
  const known = new Map(steps.map(step => [step.id, step]))
  const depths = new Map<string, number>()
  const depthOf = (id: string, seen: number): number => {
    const before = depths.get(id)
    if (before !== undefined || seen > steps.length) return before ?? 0
    const above = (known.get(id)?.dependsOn ?? []).filter(other => known.has(other))
    const depth = above.length ? 1 + Math.max(...above.map(other => depthOf(other, seen + 1))) : 0
    depths.set(id, depth)
    return depth
  }
  for (const { id } of steps) depthOf(id, 0)
  return depths
}
