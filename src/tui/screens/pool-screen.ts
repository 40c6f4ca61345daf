import type { PoolView, TaskState, TaskView } from '../../contract/pool.ts'
import type { RunDetail } from '../../contract/run.ts'
import type { Board } from '../../view/board.ts'
import { cellText } from '../../view/cell-text.ts'
import { costWords, numberOf } from '../../view/words.ts'
import { doingOf } from '../agent-cells.ts'
import { cellsOf, cutRow, type Row, span, type Tone } from '../row.ts'
import { type Context, type KeyHint, windowOf } from '../screen.ts'
import type { Part } from './run-screen.ts'

const TASK_TONES: Record<TaskState, Tone> = {
  pending: 'dim',
  claimed: 'working',
  active: 'working',
  merging: 'working',
  merged: 'done',
  done: 'done',
  stuck: 'attention',
  failed: 'failed',
  dropped: 'dim',
}

/** Its tasks with who has them, the workers with what they do, and what waits to be merged. */
export function poolPart(context: Context, run: RunDetail, pool: PoolView): Part {
  const ids = pool.tasks.map(({ id }) => id)
  return {
    ids,
    rows(chosen, height) {
      const below = [...workerRows(context, run, pool), ...queueRows(pool, context)]
      const room = Math.max(3, height - Math.min(below.length, Math.floor(height / 2)))
      return [...taskRows(pool.tasks, chosen, room, context, run.id), ...below]
    },
    target: chosen =>
      chosen === null
        ? {}
        : { task: taskTarget(run.id, chosen, pool.tasks), ...workerOf(context.board, run.id, chosen) },
    keys: [['enter', 'its worker'], ...TASK_KEYS],
  }
}

export const TASK_KEYS: KeyHint[] = [
  ['A', 'add a task'],
  ['C', 'claim, release'],
  ['f', 'done'],
]

export function taskTarget(run: string, id: string, tasks: readonly TaskView[]) {
  return { run, id, isYours: tasks.find(task => task.id === id)?.by === 'person' }
}

/** The agent that works on a task, so that enter opens it. */
function workerOf(board: Board, run: string, task: string) {
  const session = [...board.agents.values()].find(agent => agent.run === `${run}.${task}`)?.session
  return session ? { agent: session } : {}
}

export function taskRows(
  tasks: readonly TaskView[],
  chosen: string | null,
  room: number,
  { columns }: Context,
  run?: string,
): Row[] {
  const widths = columns >= 100 ? [18, 9, 20, 10, 8] : [14, 9, 12]
  const titles =
    columns >= 100 ? ['  task', 'state', 'by', 'iterations', 'cost', 'what'] : ['  task', 'state', 'by', 'what']
  const right = columns >= 100 ? [3, 4] : []
  const at = tasks.findIndex(({ id }) => chosen === id || chosen === `${run} ${id}`)
  const { from, to } = windowOf(tasks.length, Math.max(0, at), room - 1)
  const rows = tasks.slice(from, to).map((task, n) => {
    const isChosen = from + n === at
    const tone = TASK_TONES[task.state]
    const figures = [
      [span(task.iterations ? String(task.iterations) : '', 'dim' as const)],
      [span(task.costUsd ? costWords(task.costUsd) : '', 'dim' as const)],
    ]
    const cells = cellsOf(
      [
        [span(isChosen ? '▶ ' : '  ', tone), span(cellText(task.id, 64), 'text', { bold: true, inverse: isChosen })],
        [span(task.state, tone)],
        [span(cellText(task.by ?? '', 60), 'dim')],
        ...(columns >= 100 ? figures : []),
        [span(cellText(task.title, 200))],
      ],
      widths,
      right,
    )
    return cutRow(cells, columns)
  })
  const title = cellsOf(
    titles.map(word => [span(word, 'dim')]),
    widths,
    right,
  )
  return [cutRow(title, columns), ...(rows.length > 0 ? rows : [[span('  no task yet', 'dim')]])]
}

function workerRows({ board, columns, clock }: Context, run: RunDetail, pool: PoolView): Row[] {
  const workers = [...board.agents.values()].filter(agent => {
    return agent.run?.startsWith(`${run.id}.`) && agent.status !== 'done' && agent.status !== 'gone'
  })
  const title = `workers ${workers.length}${pool.maxWorkers ? ` of ${pool.maxWorkers}` : ''}`
  const rows = workers.slice(0, 12).map(agent => {
    const name = cellText(agent.run?.slice(run.id.length + 1) ?? '', 30)
    const cells = cellsOf(
      [[span(`  ${name}`, 'working')], [span(clock.age(agent.since), 'dim')], doingOf(agent)],
      [22, 5],
      [1],
    )
    return cutRow(cells, columns)
  })
  return [[], [span(` ${title}`, 'dim', { bold: true })], ...rows]
}

function queueRows({ tasks, branch }: PoolView, { columns }: Context): Row[] {
  const merging = tasks.filter(({ state }) => state === 'merging').map(({ id }) => cellText(id, 64))
  const merged = tasks.filter(({ state }) => state === 'merged').length
  const words = `${numberOf(merged, 'task')} merged into ${cellText(branch, 80)}`
  const queue = merging.length ? `  merge queue: ${merging.join(', ')}` : ''
  return [cutRow([span(` ${words}`, 'dim'), span(queue, 'working')], columns)]
}
