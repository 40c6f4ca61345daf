import type { AgentStatus } from '../contract/agent.ts'
import type { Board } from '../view/board.ts'
import { cellText } from '../view/cell-text.ts'
import { costWords } from '../view/words.ts'
import { STATUS_TONES } from './agent-cells.ts'
import type { Clock } from './clock.ts'
import { dialogRows } from './dialog.ts'
import { cutRow, type Row, rowWidth, rule, span, spread } from './row.ts'
import type { Context, KeyHint, Screen } from './screen.ts'
import { screenOf } from './screens.ts'

/** `oldInMs`: when it would look different although nothing has come. */
export type Frame = { rows: Row[]; screen: Screen; columns: number; oldInMs: number }

const HEADER_ROWS = 2
const FOOTER_ROWS = 2

/** The whole screen, as many rows as it has and none wider than it is. */
export function frameOf(whole: Omit<Context, 'columns' | 'rows'>, size: { columns: number; rows: number }): Frame {
  const columns = Math.max(20, size.columns)
  const rows = Math.max(HEADER_ROWS + FOOTER_ROWS + 2, size.rows)
  const dialog = whole.ui.dialog ? dialogRows(whole.ui.dialog, columns, rows - HEADER_ROWS - FOOTER_ROWS) : null
  const height = rows - HEADER_ROWS - FOOTER_ROWS - (dialog && !dialog.isWhole ? dialog.rows.length : 0)
  const context: Context = { ...whole, columns, rows: height }
  const screen = screenOf(context)
  const body = dialog?.isWhole ? dialog.rows : screen.rows.slice(0, height)
  const filled = [...body, ...Array.from({ length: Math.max(0, height - body.length) }, (): Row => [])]
  const all = [
    header(context.board, columns, context.clock),
    titleRule(dialog?.isWhole ? dialog.title : screen.title, columns),
    ...filled,
    ...(dialog && !dialog.isWhole ? dialog.rows : []),
    rule(columns),
    footer(context, dialog ? dialog.keys : screen.keys, columns),
  ]
  return { rows: all.map(row => cutRow(row, columns)), screen, columns, oldInMs: context.clock.oldInMs }
}

const COUNTED: AgentStatus[] = ['working', 'background', 'waiting', 'failed', 'compacting', 'starting', 'gone', 'done']

/** What needs you, how many of each, the queue, the team, the money; what has no room is left out from the end. */
function header(board: Board, columns: number, clock: Clock): Row {
  const asked = board.inbox.questions.length
  const needs = Math.max(asked, board.count('attention'))
  const parts: Row[] = [
    needs ? [span(`${needs} need you`, 'attention', { bold: true })] : [span('nothing needs you', 'dim')],
    ...COUNTED.filter(status => board.count(status) > 0).map(status => {
      return [span(`${board.count(status)} ${status}`, STATUS_TONES[status])]
    }),
  ]
  const tasks = board.tasks()
  if (tasks) {
    const blocked = tasks.blocked ? [span(` ✗${tasks.blocked}`, 'failed')] : []
    parts.push([span(`tasks ${tasks.complete}/${tasks.total}`), span(` ●${tasks.running}`, 'working'), ...blocked])
  }
  const teams = board.teams()
  if (teams.length > 0) {
    parts.push([span(`team ${cellText(teams[0]!, 24)}${teams.length > 1 ? ` +${teams.length - 1}` : ''}`, 'dim')])
  }
  const right = board.away
    ? [span(awayWords(board.away, clock), 'failed', { bold: true })]
    : [span(`${costWords(board.spentSince(clock.midnight))} today`, 'dim')]
  const left: Row = [span(' rehoboam', 'title', { bold: true })]
  const room = columns - rowWidth(right) - 2
  for (const part of parts) {
    if (rowWidth(left) + 3 + rowWidth(part) > room) break
    left.push({ text: '   ' }, ...part)
  }
  return spread(left, [...right, { text: ' ' }], columns)
}

function awayWords({ since, why }: NonNullable<Board['away']>, clock: Clock): string {
  return why ? cellText(why, 200) : `the daemon is away for ${clock.age(since)}, waiting`
}

function titleRule(title: string, columns: number): Row {
  const words = cutRow([span('── ', 'dim'), span(title, 'text', { bold: true }), span(' ', 'dim')], columns)
  return [...words, span('─'.repeat(Math.max(0, columns - rowWidth(words))), 'dim')]
}

const ALWAYS: KeyHint[] = [
  ['/', 'search'],
  ['?', 'help'],
]

/** What has just happened, else the keys; as many as have room, and always the way back and to the rest of them. */
function footer({ ui, clock }: Context, keys: KeyHint[], columns: number): Row {
  if (ui.notice && clock.isBefore(ui.notice.until))
    return [{ text: ' ' }, span(cellText(ui.notice.text, 1000), ui.notice.tone)]
  const leaving: KeyHint = ui.views.length > 1 ? ['esc', 'back'] : ['q', 'quit']
  const last = ui.dialog ? [] : [...ALWAYS, leaving]
  const row: Row = [{ text: ' ' }]
  const room = columns - widthOfHints(last)
  for (const hint of keys) {
    const spans = hintOf(hint)
    if (rowWidth(row) + rowWidth(spans) > room) break
    row.push(...spans)
  }
  for (const hint of last) row.push(...hintOf(hint))
  return row
}

function hintOf([key, word]: KeyHint): Row {
  return [span(key, 'key', { bold: true }), span(` ${word}  `, 'dim')]
}

function widthOfHints(hints: KeyHint[]): number {
  return hints.reduce((width, hint) => width + rowWidth(hintOf(hint)), 0)
}
