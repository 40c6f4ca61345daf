import type { TaskView } from '../../contract/pool.ts'
import { folderOf } from '../agent-cells.ts'
import { type Row, rule, span, spread } from '../row.ts'
import { type Context, chosenOf, type Screen } from '../screen.ts'
import { TASK_KEYS, taskRows, taskTarget } from './pool-screen.ts'

/** The tasks of all pools, those that go on first. */
export function tasksScreen(context: Context): Screen {
  const pools = context.board.rootRuns().filter(({ kind }) => kind === 'pool')
  const lists = pools.map(run => ({ run, tasks: context.details.tasks.get(run.id) ?? [] }))
  const ids = lists.flatMap(({ run, tasks }) => tasks.map(({ id }) => `${run.id} ${id}`))
  const grid = [ids]
  const chosen = chosenOf(grid, context.ui.cursors.tasks)
  const [run, task] = chosen?.split(' ') ?? []
  const open = lists.flatMap(({ tasks }) => tasks.filter(isOpen)).length
  return {
    title: `tasks  ${open} open, ${ids.length} in all`,
    rows:
      pools.length === 0 ? [[], [span('  No pool yet; s starts one.', 'dim')]] : rowsOf(context, lists, chosen, run),
    grid,
    chosen,
    target: run && task ? { run, task: taskTarget(run, task, context.details.tasks.get(run) ?? []) } : {},
    keys: [['enter', 'its pool'], ...TASK_KEYS, ['t', 'tell'], ['c', 'copy the command']],
  }
}

function isOpen({ state }: TaskView): boolean {
  return state !== 'merged' && state !== 'done' && state !== 'dropped'
}

type List = { run: { id: string; project: string; status: string }; tasks: readonly TaskView[] }

/** The pool of the chosen task has most of the room. */
function rowsOf(context: Context, lists: List[], chosen: string | null, chosenRun: string | undefined): Row[] {
  const { rows, columns } = context
  const at = Math.max(
    0,
    lists.findIndex(({ run }) => run.id === chosenRun),
  )
  const shown = lists.slice(at, at + 6)
  const result: Row[] = []
  for (const { run, tasks } of shown) {
    const room = rows - result.length - 1
    if (room < 3) break
    const head = [span(` ${run.id}`, 'text', { bold: true }), span(`  ${folderOf(run.project)}  ${run.status}`, 'dim')]
    result.push(spread(head, [], columns))
    result.push(...taskRows(tasks, chosen, Math.min(room - 1, Math.max(2, tasks.length + 1)), context, run.id))
    result.push(rule(columns))
  }
  return result.slice(0, rows)
}
