import type { RunSummary } from '../../contract/run.ts'
import { statusWords } from '../../view/run-words.ts'
import { costWords } from '../../view/words.ts'
import { folderOf, RUN_TONES } from '../agent-cells.ts'
import { shortWords } from '../clock.ts'
import { cellsOf, cutRow, type Row, span, spread } from '../row.ts'
import { type Context, chosenOf, type Screen, windowOf } from '../screen.ts'

export function runsScreen(context: Context): Screen {
  const runs = context.board.rootRuns()
  const grid = [runs.map(({ id }) => id)]
  const chosen = chosenOf(grid, context.ui.cursors.runs)
  const live = runs.filter(({ endedAt }) => endedAt === null).length
  return {
    title: `runs  ${live} live, ${runs.length} in all`,
    rows: runs.length === 0 ? [[], [span('  No run yet; s starts one.', 'dim')]] : table(runs, chosen, context),
    grid,
    chosen,
    target: chosen === null ? {} : { run: chosen },
    keys: [
      ['enter', 'open'],
      ['p', 'pause, resume'],
      ['X', 'cancel'],
      ['R', 'go on'],
      ['t', 'tell'],
      ['D', 'diff'],
      ['o', 'pane'],
      ['F', 'freeze all'],
      ['s', 'spawn'],
    ],
  }
}

const WIDTHS = [10, 8, 24, 12, 9, 9]

function table(runs: RunSummary[], chosen: string | null, context: Context): Row[] {
  const { columns, rows } = context
  const widths = columns >= 100 ? WIDTHS : [10, 8, 20, 8, 7, 8]
  const title = cellsOf(
    ['  run', 'kind', 'status', 'progress', 'cost', 'time', 'project'].map(word => [span(word, 'dim')]),
    widths,
    [4, 5],
  )
  const at = runs.findIndex(({ id }) => id === chosen)
  const { from, to } = windowOf(runs.length, Math.max(0, at), rows - 1)
  return [cutRow(title, columns), ...runs.slice(from, to).map(run => line(run, run.id === chosen, widths, context))]
}

function line(run: RunSummary, isChosen: boolean, widths: number[], { columns, clock, board }: Context): Row {
  const tone = RUN_TONES[run.status]
  const took = run.endedAt ? shortWords(Date.parse(run.endedAt) - Date.parse(run.startedAt)) : clock.age(run.startedAt)
  const asks = board.asking(run.id).length
  const row = cellsOf(
    [
      [span(isChosen ? '▶ ' : '  ', tone), span(run.id, 'text', { bold: true, inverse: isChosen })],
      [span(run.kind)],
      [span(statusWords({ ...run, asks }), asks ? 'attention' : tone)],
      [span(progressOf(run), 'dim')],
      [span(run.costUsd ? costWords(run.costUsd) : '', 'dim')],
      [span(took, 'dim')],
      [span(folderOf(run.project), 'dim')],
    ],
    widths,
    [4, 5],
  )
  const ended = run.endedAt ? [span(`${clock.age(run.endedAt)} ago`, 'dim')] : []
  return spread(row, ended, columns - 1)
}

function progressOf({ iteration, maxIterations, steps }: RunSummary): string {
  if (steps) return `${steps.complete}/${steps.total}${steps.blocked ? ` ✗${steps.blocked}` : ''}`
  return iteration === null ? '' : `${iteration}/${maxIterations}`
}
