import { cellText } from '../../view/cell-text.ts'
import { statusWords } from '../../view/run-words.ts'
import { folderOf, RUN_TONES } from '../agent-cells.ts'
import { cutRow, type Row, span } from '../row.ts'
import { type Context, chosenOf, type Screen, type Target, windowOf } from '../screen.ts'
import { agentLine } from './agents-screen.ts'

type Hit = { id: string; target: Target; row(chosen: string | null): Row }

/** Agents, questions, runs and tasks in which every word that is typed occurs. */
export function searchScreen(context: Context): Screen {
  const { ui, columns, rows } = context
  const words = ui.search.text.toLowerCase().split(/\s+/).filter(Boolean)
  const hits = words.length === 0 ? [] : hitsOf(context, words)
  const grid = [hits.map(({ id }) => id)]
  const chosen = chosenOf(grid, ui.cursors.search)
  const at = hits.findIndex(({ id }) => id === chosen)
  const { from, to } = windowOf(hits.length, Math.max(0, at), rows - 2)
  const before = cellText(ui.search.text.slice(0, ui.search.at), 500)
  const blank = ui.search.text.slice(0, ui.search.at).endsWith(' ') ? ' ' : ''
  const line = [
    span(' / ', 'key', { bold: true }),
    span(before + blank),
    span(' ', 'text', { inverse: true }),
    span(cellText(ui.search.text.slice(ui.search.at), 500)),
  ]
  return {
    title: `search  ${hits.length} found`,
    rows: [cutRow(line, columns), [], ...hits.slice(from, to).map(hit => cutRow(hit.row(chosen), columns))],
    grid,
    chosen,
    target: hits[at]?.target ?? {},
    keys: [
      ['↑↓', 'choose'],
      ['enter', 'open'],
    ],
  }
}

function hitsOf(context: Context, words: string[]): Hit[] {
  const { board, details, columns } = context
  const fits = (...texts: (string | null)[]) => {
    const text = texts.join(' ').toLowerCase()
    return words.every(word => text.includes(word))
  }
  const marked = (id: string, chosen: string | null) => span(id === chosen ? ' ▶ ' : '   ', 'working')
  const questions: Hit[] = board.inbox.questions
    .filter(({ text, kind, project, run }) => fits(text, kind, project, run))
    .map(question => ({
      id: `question ${question.id}`,
      target: { question: question.id },
      row: chosen => [
        marked(`question ${question.id}`, chosen),
        span(`${question.kind}  `, 'attention'),
        span(`${folderOf(question.project)}  `, 'text', { bold: true }),
        span(cellText(question.text, columns)),
      ],
    }))
  const agents: Hit[] = board
    .allAgents()
    .filter(({ project, doing, status, role, run, session, team, model }) => {
      return fits(project, doing, status, role, run, session, team, model)
    })
    .map(agent => ({
      id: agent.session,
      target: { agent: agent.session, ...(agent.run && { run: agent.run }) },
      row: chosen => [{ text: '  ' }, ...agentLine(agent, chosen, { ...context, columns: columns - 2 })],
    }))
  const runs: Hit[] = board
    .rootRuns()
    .filter(({ id, kind, status, project, cause }) => fits(id, kind, status, project, cause))
    .map(run => ({
      id: `run ${run.id}`,
      target: { run: run.id },
      row: chosen => [
        marked(`run ${run.id}`, chosen),
        span(`${run.kind} ${run.id}  `, 'text', { bold: true }),
        span(`${statusWords({ ...run, asks: board.asking(run.id).length })}  `, RUN_TONES[run.status]),
        span(folderOf(run.project), 'dim'),
      ],
    }))
  const tasks: Hit[] = [...details.tasks].flatMap(([run, list]) =>
    list
      .filter(({ id, title, state, by }) => fits(run, id, title, state, by))
      .map(task => ({
        id: `task ${run} ${task.id}`,
        target: { run },
        row: (chosen: string | null) => [
          marked(`task ${run} ${task.id}`, chosen),
          span(`task ${cellText(task.id, 64)}  `, 'text', { bold: true }),
          span(`${task.state}  `, 'dim'),
          span(cellText(task.title, 200)),
        ],
      })),
  )
  return [...questions, ...agents, ...runs, ...tasks]
}
