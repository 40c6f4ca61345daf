import type { TaskView } from '../contract/pool.ts'
import type { RunDetail } from '../contract/run.ts'
import { plainLine } from './plain.ts'
import { table } from './run-words.ts'
import { costWords, numberOf } from './words.ts'

/** What a pool adds to its page. */
export function poolFacts({ pool, steps }: RunDetail): [string, string][] {
  if (!pool) return []
  const facts: [string, string][] = [
    ['tasks', steps ? `${steps.complete} of ${steps.total} done, ${steps.running} under way` : ''],
    ['workers', pool.maxWorkers === 0 ? 'none: only a plan' : `at most ${pool.maxWorkers}`],
    ['result', `branch ${pool.branch}`],
  ]
  if (pool.baseRed) facts.push(['base', `${numberOf(pool.baseRed, 'check')} failed before it began`])
  return facts
}

/** Each task: who did it, how long it took, and where it is. */
export function taskLines(tasks: TaskView[]): string[] {
  const rows = tasks.map(task => [
    task.id,
    task.state,
    task.by ?? '',
    task.iterations ? String(task.iterations) : '',
    task.costUsd ? costWords(task.costUsd) : '',
    whereOf(task),
    plainLine(task.title, 60),
  ])
  return table([['task', 'state', 'by', 'iterations', 'cost', 'where', 'what'], ...rows], [3, 4])
}

function whereOf({ state, commit, branch }: TaskView): string {
  if (state === 'merged') return commit ? `merged ${commit.slice(0, 8)}` : 'merged'
  return commit && branch ? branch : ''
}

/** What was not merged, and where it is: the last lines of a pool that has ended. */
export function poolSummaryLines(run: RunDetail): string[] {
  if (!run.pool || run.pool.tasks.length === 0) return []
  return taskLines(run.pool.tasks)
}
