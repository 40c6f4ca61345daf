import { cellBlock } from '../../view/cell-text.ts'
import { cutRow, type Row, span, type Tone } from '../row.ts'
import type { Context, Screen } from '../screen.ts'

/** What a run has changed, from before its start to its last checkpoint. */
export function diffScreen(context: Context, id: string): Screen {
  const { details, columns, rows, ui } = context
  const diff = details.diffs.get(id)
  const lines = diff ? linesOf(diff.text) : []
  const most = Math.max(0, lines.length - rows)
  const from = Math.min(ui.scrolls[`diff ${id}`] ?? 0, most)
  const nothing = diff ? `nothing has changed up to iteration ${diff.iteration}` : 'looking …'
  const shown = lines.slice(from, from + rows).map((line): Row => [span(` ${line}`, toneOf(line))])
  return {
    title: `diff  ${id}${diff && lines.length ? `  iteration ${diff.iteration}, line ${from + 1} of ${lines.length}` : ''}${diff?.cut ? ', cut: there is more' : ''}`,
    rows: lines.length === 0 ? [[], [span(`  ${nothing}`, 'dim')]] : shown.map(row => cutRow(row, columns)),
    grid: [],
    chosen: null,
    target: { run: id },
    keys: [
      ['↑↓', 'scroll'],
      ['c', 'copy the command'],
    ],
    scroll: { most, page: rows, fromEnd: false },
  }
}

let last: { text: string; lines: string[] } = { text: '', lines: [] }

/** A diff may have many thousand lines, and is drawn again with every key: it is cut into lines once. */
function linesOf(text: string): string[] {
  if (last.text !== text) last = { text, lines: text.trim() ? cellBlock(text.trimEnd()) : [] }
  return last.lines
}

function toneOf(line: string): Tone {
  if (line.startsWith('+++') || line.startsWith('---') || line.startsWith('diff ') || line.startsWith('index '))
    return 'dim'
  if (line.startsWith('@@')) return 'key'
  if (line.startsWith('+')) return 'done'
  return line.startsWith('-') ? 'failed' : 'text'
}
