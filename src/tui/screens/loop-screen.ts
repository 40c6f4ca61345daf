import type { IterationView, LoopView } from '../../contract/loop.ts'
import type { RunDetail } from '../../contract/run.ts'
import { cellText } from '../../view/cell-text.ts'
import { sparkOf } from '../../view/spark.ts'
import { costWords, numberOf } from '../../view/words.ts'
import { doingOf } from '../agent-cells.ts'
import { cellsOf, cutRow, type Row, span, type Tone } from '../row.ts'
import { type Context, windowOf } from '../screen.ts'
import type { Part } from './run-screen.ts'

/** Its iterations with what came of each, what is proven of its criteria, and whether it still moves. */
export function loopPart(context: Context, run: RunDetail, loop: LoopView): Part {
  const ids = loop.iterations.map(({ iteration }) => String(iteration))
  const iterationOf = (chosen: string | null) => loop.iterations.find(({ iteration }) => String(iteration) === chosen)
  return {
    ids,
    rows(chosen, height) {
      const below = standing(context, loop)
      const room = Math.max(2, height - below.length)
      return [...table(context, run, loop.iterations, chosen, room), ...below]
    },
    target(chosen) {
      const iteration = iterationOf(chosen)
      return iteration ? { iteration: iteration.iteration, agent: iteration.session } : { agent: run.session }
    },
    keys: [
      ['n', 'end after this one'],
      ['v', 'verdict is wrong'],
      ['enter', 'its session'],
      ['B', 'as a branch'],
    ],
  }
}

const VERDICTS: Record<string, Tone> = { complete: 'done', continue: 'text', stalled: 'failed', blocked: 'attention' }
const WARDS: Record<string, [string, Tone]> = {
  green: ['✓ green', 'done'],
  red: ['✗ red', 'failed'],
  'could-not-run': ['! could not run', 'attention'],
}

function table(
  context: Context,
  run: RunDetail,
  iterations: IterationView[],
  chosen: string | null,
  room: number,
): Row[] {
  const { columns } = context
  const widths = columns >= 100 ? [5, 10, 5, 8, 7, 15, 22] : [4, 9, 5, 7, 5, 7]
  const titles = ['  #', 'time', 'tools', 'cost', 'ledger', 'ward', 'verdict', ...(columns >= 100 ? ['why'] : [])]
  const title = cellsOf(
    titles.map(word => [span(word, 'dim')]),
    widths,
    RIGHT,
  )
  const at = iterations.findIndex(({ iteration }) => String(iteration) === chosen)
  const { from, to } = windowOf(iterations.length, Math.max(0, at), room - 1)
  const rows = iterations.slice(from, to).map(iteration => {
    return cutRow(line(context, run, iteration, String(iteration.iteration) === chosen, widths), columns)
  })
  if (rows.length === 0) rows.push([span('  no iteration yet', 'dim')])
  return [cutRow(title, columns), ...rows]
}

const RIGHT = [1, 2, 3]

function line(context: Context, run: RunDetail, view: IterationView, isChosen: boolean, widths: number[]): Row {
  const { clock, board, columns } = context
  const isOver = view.state === 'ended'
  const took = view.startedAt ? clock.took(view.startedAt, view.endedAt) : ''
  const [ward, wardTone] = view.ward ? (WARDS[view.ward] ?? ['', 'dim']) : [isOver ? '' : '…', 'dim' as const]
  const verdict = isOver ? (view.verdict ?? view.outcome ?? '') : view.state
  const words = [view.claim ? `claim, ${verdict}` : verdict, view.markedWrong ? 'marked wrong' : ''].filter(Boolean)
  const agent = board.agents.get(view.session)
  const why = isOver ? cellText(view.why ?? '', 300) : agent && view.session === run.session ? doingOf(agent) : ''
  return cellsOf(
    [
      [span(isChosen ? '▶' : ' ', 'working'), span(String(view.iteration).padStart(2), 'text', { inverse: isChosen })],
      [span(took, 'dim')],
      [span(isOver ? String(view.toolCalls) : '', 'dim')],
      [span(view.costUsd ? costWords(view.costUsd) : '', 'dim')],
      [span(view.moved === null ? '' : view.moved ? 'moved' : 'still', view.moved === false ? 'attention' : 'dim')],
      [span(ward, wardTone)],
      [span(words.join(', '), isOver ? (VERDICTS[view.verdict ?? ''] ?? 'failed') : 'working')],
      ...(columns >= 100 ? [[span(why, 'dim')]] : []),
    ],
    widths,
    RIGHT,
  )
}

const MARKS: Record<string, [string, Tone]> = { PASS: ['✓', 'done'], FAIL: ['✗', 'failed'], UNKNOWN: ['?', 'dim'] }

function standing({ columns }: Context, loop: LoopView): Row[] {
  const tools = loop.iterations.filter(({ state }) => state === 'ended').map(({ toolCalls }) => toolCalls)
  const activity: Row = tools.length > 1 ? [span(' activity ', 'dim'), span(sparkOf(tools.slice(-40)), 'working')] : []
  const criteria: Row = loop.criteria.flatMap((mark, n) => {
    const [sign, tone] = MARKS[mark] ?? ['?', 'dim' as const]
    return [span(`  ${sign} `, tone), span(`C${n + 1}`)]
  })
  const still = loop.unmovedFor
    ? [span(`  nothing moved for ${numberOf(loop.unmovedFor, 'iteration')}, ${loop.stallAfter} end it`, 'attention')]
    : []
  const refused = loop.refusedClaims
    ? [span(`  ${numberOf(loop.refusedClaims, 'claim')} refused, 3 end it`, 'attention')]
    : []
  const base = loop.baseRed ? [span(`  ${numberOf(loop.baseRed, 'check')} failed before it began`, 'dim')] : []
  const how = span(` judge ${loop.judge}, stop word ${cellText(loop.stopWord, 40)}`, 'dim')
  return [
    ...(criteria.length > 0 ? [cutRow([span(' criteria', 'dim'), ...criteria], columns)] : []),
    cutRow([how, ...(activity.length ? [{ text: '  ' }, ...activity] : []), ...still, ...refused, ...base], columns),
  ]
}
