import type { RunDetail, RunSummary } from '../../contract/run.ts'
import { cellText } from '../../view/cell-text.ts'
import { isHeldUp, statusWords } from '../../view/run-words.ts'
import { costWords } from '../../view/words.ts'
import { folderOf, RUN_TONES } from '../agent-cells.ts'
import { outputRows } from '../output-rows.ts'
import { cutRow, type Row, rule, span, spread } from '../row.ts'
import { type Context, chosenOf, type KeyHint, type Screen, type Target } from '../screen.ts'
import { loopPart } from './loop-screen.ts'
import { poolPart } from './pool-screen.ts'
import { questPart } from './quest-screen.ts'

/** What one kind of run adds to its page. */
export type Part = {
  /** What can be chosen: iterations, tasks, steps. */
  ids: string[]
  /** The rows, given which one is chosen and how many there may be. */
  rows(chosen: string | null, height: number): Row[]
  target(chosen: string | null): Target
  keys: KeyHint[]
}

export function runScreen(context: Context, id: string): Screen {
  const { board, details, columns, rows, ui } = context
  const run = board.runs.get(id)
  const detail = details.runs.get(id)
  if (!run) {
    const gone = [[], [span('  This run is not in the list any more; rehoboam show still knows it.', 'dim')]] as Row[]
    return { title: `run  ${id}`, rows: gone, grid: [], chosen: null, target: { run: id }, keys: [] }
  }
  const head = headRows(run, detail, context)
  const part = detail ? partOf(context, detail) : null
  const chosen = part ? chosenOf([part.ids], ui.cursors[`run ${id}`] ?? part.ids.at(-1)) : null
  const left = rows - head.length
  const lines = details.output.get(id) ?? []
  // What it says has what the rest leaves, but a third of the page at least.
  const most = lines.length > 0 ? Math.max(3, left - Math.max(4, Math.floor(left / 3))) : left
  const middle = part ? part.rows(chosen, most).slice(0, most) : [[span('  …', 'dim')]]
  const height = Math.max(0, left - middle.length - 1)
  const said = outputRows(lines, columns, height, ui.scrolls[`run ${id}`] ?? 0)
  const output = lines.length > 0 && height > 0 ? [rule(columns), ...said.rows] : []
  return {
    title: `${run.kind}  ${run.id}  ${folderOf(run.project)}`,
    rows: [...head, ...middle, ...output],
    grid: part && part.ids.length > 0 ? [part.ids] : [],
    chosen,
    target: { run: id, ...asked(context, id), ...part?.target(chosen) },
    keys: [...(part?.keys ?? []), ...KEYS.filter(([key]) => !part?.keys.some(([own]) => own === key))],
    scroll: { most: said.most, page: Math.max(1, height), fromEnd: true },
  }
}

const KEYS: KeyHint[] = [
  ['p', 'pause'],
  ['X', 'cancel'],
  ['R', 'go on'],
  ['t', 'tell'],
  ['D', 'diff'],
  ['o', 'pane'],
  ['M', 'merge'],
]

/** The question of this run, or of a child of it, that has waited longest. */
function asked({ board }: Context, id: string): Target {
  const [question] = board.asking(id)
  return question ? { question: question.id } : {}
}

function headRows(run: RunSummary, detail: RunDetail | undefined, context: Context): Row[] {
  const { columns, clock, board } = context
  const took = clock.took(run.startedAt, run.endedAt)
  const limit = detail?.loop?.maxCostUsd ?? detail?.quest?.maxCostUsd
  const cost = `${costWords(run.costUsd)}${limit ? ` of ${costWords(limit)}` : ''}`
  const progress = run.iteration === null ? '' : `  iteration ${run.iteration} of ${run.maxIterations}`
  const questions = board.asking(run.id)
  const [question] = questions
  const asking = { ...run, asks: questions.length }
  const sentence = detail && !isHeldUp(asking) ? cellText(detail.sentence, 300) : ''
  const rows: Row[] = [
    spread(
      [{ text: ' ' }, span(statusWords(asking), RUN_TONES[run.status], { bold: true }), span(`  ${sentence}`)],
      [span(`${progress}  ${took}  ${cost} `, 'dim')],
      columns,
    ),
  ]
  const prompt = detail?.prompt ? cellText(detail.prompt, 400) : ''
  const place = detail ? `${detail.driver}${detail.pool || detail.quest ? `, ${branchOf(detail)}` : ''} ` : ''
  rows.push(spread([{ text: ' ' }, span(prompt)], [span(place, 'dim')], columns))
  if (question) {
    rows.push(cutRow([span(` asks: ${cellText(question.text, 300)}`, 'attention', { bold: true })], columns))
  }
  for (const note of detail?.notes.slice(0, 2) ?? [])
    rows.push(cutRow([span(` ${cellText(note, 300)}`, 'dim')], columns))
  return [...rows, rule(columns)]
}

function branchOf({ pool, quest }: RunDetail): string {
  return `branch ${cellText(pool?.branch ?? quest?.branch ?? '', 80)}`
}

function partOf(context: Context, run: RunDetail): Part {
  if (run.loop) return loopPart(context, run, run.loop)
  if (run.pool) return poolPart(context, run, run.pool)
  if (run.quest) return questPart(context, run, run.quest)
  return sessionPart(context, run)
}

function sessionPart({ columns, clock }: Context, run: RunDetail): Part {
  const rows = run.turns.slice(-5).map(turn => {
    const took = turn.startedAt ? clock.took(turn.startedAt, turn.endedAt) : ''
    const words = `  turn ${turn.turn}  ${turn.state}  ${took}  ${costWords(turn.costUsd)}  ${cellText(turn.exit ?? '', 60)}`
    return cutRow([span(words, 'dim')], columns)
  })
  return { ids: [], rows: () => rows, target: () => ({ agent: run.session }), keys: [['n', 'deny']] }
}
