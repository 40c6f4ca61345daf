import type { Question } from '../../contract/question.ts'
import type { Board } from '../../view/board.ts'
import { cellBlock, cellText } from '../../view/cell-text.ts'
import { wrapTo } from '../../view/plain.ts'
import { numberOf } from '../../view/words.ts'
import { folderOf } from '../agent-cells.ts'
import type { Clock } from '../clock.ts'
import { cellsOf, cutRow, type Row, span, spread } from '../row.ts'
import { type Context, chosenOf, type KeyHint, type Screen } from '../screen.ts'

/** Everything that waits for a person: all in one line each, the chosen one whole. */
export function inboxScreen(context: Context): Screen {
  const { board, ui } = context
  const { questions } = board.inbox
  const grid = [questions.map(({ id }) => id)]
  const chosen = chosenOf(grid, ui.cursors.inbox)
  const question = questions.find(({ id }) => id === chosen)
  const muted = mutedFor(board, context.clock)
  const marked = questions.filter(({ id }) => ui.marked.has(id)).length
  return {
    title: `inbox  ${questions.length} open${marked ? `, ${marked} marked` : ''}${muted}`,
    rows: question ? entries(questions, question, context) : [[], [span('  Nothing waits for you.', 'done')]],
    grid,
    chosen,
    target: question ? targetOf(question) : {},
    keys: keysOf(question, marked),
  }
}

function targetOf({ id, agent, run }: Question) {
  return { question: id, ...(agent && { agent }), ...(run && { run }) }
}

function mutedFor({ inbox }: Board, clock: Clock): string {
  return inbox.mutedUntil ? `, muted for ${clock.until(inbox.mutedUntil)}` : ''
}

function keysOf(question: Question | undefined, marked: number): KeyHint[] {
  if (!question) return [['m', 'mute 30 m']]
  const decides: KeyHint[] = [
    ['y', marked ? `allow ${marked}` : 'allow'],
    ['Y', 'always, for this run'],
    ['n', marked ? `deny ${marked}` : 'deny'],
    ['N', 'deny, why'],
  ]
  const answers: KeyHint[] = [
    ...(question.options.length > 0 ? ([['1-9', 'option']] as KeyHint[]) : []),
    ['a', 'answer'],
    ['n', 'deny'],
  ]
  return [
    ...(question.kind === 'permission' ? decides : answers),
    ['space', 'mark'],
    ['enter', 'all of it'],
    ['o', 'pane'],
    ['m', 'mute 30 m'],
  ]
}

function entries(questions: Question[], chosen: Question, context: Context): Row[] {
  const at = questions.indexOf(chosen)
  const whole = expanded(chosen, context, Math.max(4, context.rows - 4))
  const room = Math.max(0, context.rows - whole.length)
  const below = questions.length - at - 1
  const before = Math.min(at, Math.max(Math.floor(room / 2), room - below))
  const after = Math.min(below, room - before)
  return [
    ...questions.slice(at - before, at).map(question => headOf(question, false, context)),
    ...whole,
    ...questions.slice(at + 1, at + 1 + after).map(question => headOf(question, false, context)),
  ]
}

/** All of a question that fits into so many lines. Whoever allows a command must be able to see all of it. */
function expanded(question: Question, context: Context, most: number): Row[] {
  const lines = textLines(question, context.columns)
  const isOneLine = lines.length === 1 && question.options.length === 0
  const shown = lines.slice(0, Math.max(1, most - 2 - question.options.length))
  const more = lines.length - shown.length
  const options = question.options
    .slice(0, 9)
    .map((option, n) => [span(`${n + 1} `, 'key'), span(cellText(option, 300))])
  const rows: Row[] = [
    ...(isOneLine ? [] : shown.map(line => [span(line)])),
    ...(more > 0 ? [[span(`… ${numberOf(more, 'more line')}: enter shows all of it`, 'attention')]] : []),
    ...options,
    ...(question.why ? [[span(cellText(question.why, 300), 'dim')]] : []),
  ]
  const indented = rows.map(row => cutRow([{ text: INDENT }, ...row], context.columns))
  return [headOf(question, true, context), ...indented]
}

const INDENT = '          '

function textLines(question: Question, columns: number): string[] {
  return cellBlock(question.text.trim()).flatMap(line => wrapTo(line, columns - INDENT.length))
}

function headOf(question: Question, isChosen: boolean, { columns, clock, ui, board }: Context): Row {
  const agent = question.agent ? board.agents.get(question.agent) : undefined
  const who = [agent?.role ? cellText(agent.role, 20) : '', question.run ? cellText(question.run, 24) : '']
  const mark = ui.marked.has(question.id) ? '●' : ' '
  const row = cellsOf(
    [
      [span(`${isChosen ? '▶' : ' '}${mark}`, 'attention'), span(clock.age(question.since).padStart(5), 'dim')],
      [span(question.kind, question.kind === 'permission' ? 'attention' : 'text', { inverse: isChosen })],
      [span(folderOf(question.project), 'text', { bold: true })],
      ...(columns >= 100 ? [[span(who.filter(Boolean).join(' '), 'dim')]] : []),
      [span(cellText(question.text, 300))],
    ],
    columns >= 100 ? [7, 11, 16, 22] : [7, 11, 12],
  )
  return spread(row, [], columns)
}

/** One question on a page of its own, to its last line. */
export function questionScreen(context: Context, id: string): Screen {
  const question = context.board.inbox.questions.find(asked => asked.id === id)
  if (!question) {
    const rows = [[], [span('  It has been answered, or asks no more.', 'dim')]]
    return { title: 'question', rows, grid: [], chosen: null, target: {}, keys: [] }
  }
  const lines = [
    headOf(question, true, context),
    [],
    ...textLines(question, context.columns).map(line => [{ text: INDENT }, span(line)]),
    [],
    ...question.options.map((option, n) => [{ text: INDENT }, span(`${n + 1} `, 'key'), span(cellText(option, 300))]),
    ...(question.why ? [[{ text: INDENT }, span(cellText(question.why, 300), 'dim' as const)]] : []),
  ]
  const most = Math.max(0, lines.length - context.rows)
  const from = Math.min(context.ui.scrolls[`question ${id}`] ?? 0, most)
  return {
    title: `question  ${question.kind}`,
    rows: lines.slice(from, from + context.rows).map(row => cutRow(row, context.columns)),
    grid: [],
    chosen: null,
    target: targetOf(question),
    keys: [...keysOf(question, 0).filter(([key]) => key !== 'enter')],
    scroll: { most, page: context.rows, fromEnd: false },
  }
}
