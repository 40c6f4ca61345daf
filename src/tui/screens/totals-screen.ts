import { STATUS_ORDER } from '../../view/agent-words.ts'
import type { Board } from '../../view/board.ts'
import { cellText } from '../../view/cell-text.ts'
import { costWords, tokenWords } from '../../view/words.ts'
import { folderOf, RUN_TONES, STATUS_TONES } from '../agent-cells.ts'
import type { Clock } from '../clock.ts'
import { cellsOf, cutRow, padTo, type Row, span } from '../row.ts'
import type { Context, Screen } from '../screen.ts'

/** Everything counted: agents, runs, loops, and money by project and by model. */
export function totalsScreen(context: Context): Screen {
  const { board, columns, rows } = context
  const blocks = [agentRows(board), runRows(board), loopRows(board), moneyRows(board, context.clock), modelRows(board)]
  const isWide = columns >= 100
  const shown = isWide
    ? sideBySide([blocks[0]!.concat([[]], blocks[2]!), blocks[1]!.concat([[]], blocks[4]!), blocks[3]!], columns)
    : blocks.flatMap(block => [...block, []])
  const most = Math.max(0, shown.length - rows)
  const from = Math.min(context.ui.scrolls.totals ?? 0, most)
  return {
    title: 'totals',
    rows: shown.slice(from, from + rows).map(row => cutRow([{ text: ' ' }, ...row], columns)),
    grid: [],
    chosen: null,
    target: {},
    keys: [],
    scroll: { most, page: rows, fromEnd: false },
  }
}

function sideBySide(blocks: Row[][], columns: number): Row[] {
  const width = Math.floor((columns - 1) / blocks.length)
  const height = Math.max(...blocks.map(({ length }) => length))
  return Array.from({ length: height }, (_, n) => blocks.flatMap(block => padTo(block[n] ?? [], width)))
}

function heading(text: string): Row {
  return [span(text, 'text', { bold: true })]
}

function figure(name: string, value: string | number, tone: Parameters<typeof span>[1] = 'text'): Row {
  return cellsOf([[span(`  ${name}`, tone)], [span(String(value))]], [19, 10], [1])
}

function agentRows(board: Board): Row[] {
  const rows = STATUS_ORDER.filter(status => board.count(status) > 0).map(status => {
    return figure(status === 'attention' ? 'need you' : status, board.count(status), STATUS_TONES[status])
  })
  return [heading('agents'), ...rows, figure('all', board.agents.size)]
}

function runRows(board: Board): Row[] {
  const runs = board.rootRuns()
  const statuses = [...new Set(runs.map(({ status }) => status))]
  const rows = statuses.map(status => {
    return figure(status, runs.filter(run => run.status === status).length, RUN_TONES[status])
  })
  const proven = runs.filter(run => run.proven).length
  return [heading('runs'), ...rows, ...(proven ? [figure('proven', proven, 'done')] : []), figure('all', runs.length)]
}

function loopRows(board: Board): Row[] {
  const loops = [...board.runs.values()].filter(({ kind }) => kind === 'loop')
  const iterations = loops.reduce((sum, { iteration }) => sum + (iteration ?? 0), 0)
  const tasks = board.tasks()
  return [
    heading('loops'),
    figure('loops', loops.length),
    figure('iterations', iterations),
    figure('per loop', loops.length ? (iterations / loops.length).toFixed(1) : 0),
    ...(tasks ? [figure('tasks done', `${tasks.complete} of ${tasks.total}`)] : []),
  ]
}

const SHOWN = 12

/** Runs, and sessions that belong to none: a session of a run is in its run. */
function spendings(board: Board): { project: string; at: number; usd: number }[] {
  const own = [...board.agents.values()].filter(({ run }) => run === null)
  const runs = board.rootRuns()
  return [...own, ...runs].map(({ project, startedAt, costUsd }) => {
    return { project, at: Date.parse(startedAt), usd: costUsd }
  })
}

function moneyRows(board: Board, clock: Clock): Row[] {
  const all = spendings(board)
  const total = all.reduce((sum, { usd }) => sum + usd, 0)
  const today = board.spentSince(clock.midnight)
  const byProject = sumBy(all.map(({ project, usd }) => [folderOf(project), usd]))
  const rows = byProject.slice(0, SHOWN).map(([name, usd]) => figure(name, costWords(usd)))
  return [
    heading('money'),
    figure('started today', costWords(today)),
    figure('all that is listed', costWords(total)),
    [],
    heading('by project'),
    ...rows,
  ]
}

function modelRows(board: Board): Row[] {
  const agents = [...board.agents.values()]
  const byModel = sumBy(agents.map(({ model, tokens }) => [cellText(model ?? 'not heard yet', 30), tokens]))
  return [
    heading('tokens by model'),
    ...byModel.slice(0, SHOWN).map(([name, tokens]) => figure(name, tokenWords(tokens))),
  ]
}

function sumBy(entries: [string, number][]): [string, number][] {
  const sums = new Map<string, number>()
  for (const [name, value] of entries) sums.set(name, (sums.get(name) ?? 0) + value)
  return [...sums].sort((a, b) => b[1] - a[1])
}
