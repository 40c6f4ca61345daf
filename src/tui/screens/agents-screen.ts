import type { AgentStatus, AgentSummary } from '../../contract/agent.ts'
import type { Board } from '../../view/board.ts'
import { cellText } from '../../view/cell-text.ts'
import { costWords, numberOf } from '../../view/words.ts'
import { doingOf, folderOf, placeOf, roleOf, STATUS_TONES } from '../agent-cells.ts'
import { cellsOf, cutRow, padTo, type Row, rowWidth, span, spread, type Tone } from '../row.ts'
import { type Context, chosenOf, type KeyHint, type Screen, type Target, windowOf } from '../screen.ts'

type Group = { title: string; tone: Tone; agents: readonly AgentSummary[] }

const BY_STATUS: { title: string; tone: Tone; statuses: AgentStatus[] }[] = [
  { title: 'NEEDS YOU', tone: 'attention', statuses: ['attention'] },
  { title: 'FAILED', tone: 'failed', statuses: ['failed'] },
  { title: 'WORKING', tone: 'working', statuses: ['working', 'compacting', 'starting'] },
  { title: 'BACKGROUND', tone: 'dim', statuses: ['background'] },
  { title: 'WAITING', tone: 'text', statuses: ['waiting'] },
  { title: 'OVER', tone: 'done', statuses: ['gone', 'done'] },
]

// Narrower than this a card says nothing; then the columns become one list in the same order.
const NARROWEST_COLUMN = 25
const WIDEST_COLUMN = 48

export function agentsScreen(context: Context): Screen {
  const groups = groupsOf(context.board, context.ui.grouping)
  const isBoard = context.ui.layout === 'board' && groups.length * NARROWEST_COLUMN <= context.columns
  const ids = groups.map(({ agents }) => agents.map(({ session }) => session))
  const grid = isBoard ? ids : [ids.flat()]
  const chosen = chosenOf(grid, context.ui.cursors.agents)
  const count = context.board.agents.size
  return {
    title: `agents  ${count}${context.ui.grouping === 'status' ? '' : `  by ${context.ui.grouping}`}`,
    rows: count === 0 ? nobody(context) : isBoard ? board(groups, chosen, context) : list(groups, chosen, context),
    grid,
    chosen,
    target: targetOf(context.board, chosen),
    keys: keysFor(context.board, chosen),
  }
}

/** The agent, its run, and the question of it that has waited longest. */
export function targetOf(board: Board, session: string | null): Target {
  const agent = session === null ? undefined : board.agents.get(session)
  if (!agent) return {}
  const question = board.inbox.questions.find(asked => asked.agent === agent.session)
  return {
    agent: agent.session,
    ...(agent.run && { run: agent.run }),
    ...(question && { question: question.id }),
  }
}

function keysFor(board: Board, chosen: string | null): KeyHint[] {
  const asks: KeyHint[] = targetOf(board, chosen).question
    ? [
        ['y', 'allow'],
        ['n', 'deny'],
        ['a', 'answer'],
      ]
    : []
  const opens: KeyHint[] = chosen
    ? [
        ['enter', 'open'],
        ['o', 'pane'],
        ['t', 'tell'],
      ]
    : []
  return [
    ...asks,
    ...opens,
    ['s', 'spawn'],
    ['i', 'inbox'],
    ['r', 'runs'],
    ['w', 'by status, project, team'],
    ['b', 'board, list'],
  ]
}

function groupsOf(board: Board, grouping: Context['ui']['grouping']): Group[] {
  if (grouping === 'status') {
    return BY_STATUS.map(({ title, tone, statuses }) => {
      return { title, tone, agents: statuses.flatMap(status => board.withStatus(status)) }
    }).filter(({ agents }) => agents.length > 0)
  }
  const groups = new Map<string, AgentSummary[]>()
  for (const agent of board.allAgents()) {
    const name = grouping === 'project' ? folderOf(agent.project) : cellText(agent.team ?? '', 60) || 'no team'
    const group = groups.get(name)
    if (group) group.push(agent)
    else groups.set(name, [agent])
  }
  return [...groups].map(([title, agents]) => {
    return { title, tone: agents.some(({ status }) => status === 'attention') ? 'attention' : 'text', agents }
  })
}

function nobody({ columns }: Context): Row[] {
  const lines = [
    '',
    'No agent is known yet.',
    '',
    's          starts a session, a loop, a pool or a quest here',
    '',
    'Sessions that you start yourself are seen too, once rehoboam init has put its hooks into a project.',
  ]
  return lines.map(line => cutRow([span(`  ${line}`, line.startsWith('No') ? 'text' : 'dim')], columns))
}

/** Columns side by side, each a window on its own cards. */
function board(groups: Group[], chosen: string | null, context: Context): Row[] {
  const width = Math.min(WIDEST_COLUMN, Math.floor((context.columns - 1) / groups.length))
  const most = Math.max(...groups.map(({ agents }) => agents.length))
  // Three lines and a gap where all padTo, else two without one.
  const height = most * 4 <= context.rows ? 4 : most * 3 <= context.rows ? 3 : 2
  const columns = groups.map(group => column(group, chosen, { ...context, columns: width - 1 }, height))
  return Array.from({ length: context.rows }, (_, n) => {
    const row: Row = [{ text: ' ' }]
    columns.forEach((lines, index) => {
      const line = lines[n] ?? []
      row.push(...(index === columns.length - 1 ? cutRow(line, width - 1) : padTo(line, width)))
    })
    return row
  })
}

function column(group: Group, chosen: string | null, context: Context, height: number): Row[] {
  const { agents } = group
  const fits = Math.max(1, Math.floor((context.rows - 1) / height))
  const at = Math.max(
    0,
    agents.findIndex(({ session }) => session === chosen),
  )
  // One line says what is above and below: with it, one card less has room.
  const isAll = agents.length <= fits
  const { from, to } = windowOf(agents.length, at, isAll ? fits : Math.max(1, Math.floor((context.rows - 2) / height)))
  const heading = headingOf(group, context.columns)
  const cards = agents.slice(from, to).flatMap(agent => card(agent, agent.session === chosen, context, height))
  const more = isAll ? [] : [cutRow([span(moreWords(from, agents.length - to), 'dim')], context.columns)]
  return [heading, ...cards, ...more]
}

function moreWords(above: number, below: number): string {
  return [above ? `↑ ${above} more` : '', below ? `↓ ${below} more` : ''].filter(Boolean).join('  ')
}

function card(agent: AgentSummary, isChosen: boolean, { board: all, columns, clock }: Context, height: number): Row[] {
  const tone = STATUS_TONES[agent.status]
  const bar = span(isChosen ? '▶' : '▌', tone)
  const run = agent.run ? all.runs.get(agent.run) : undefined
  const more = isChosen ? { bold: true, inverse: true } : { bold: true }
  const role = roleOf(agent, run)
  const age = clock.age(agent.since)
  const lines: Row[] = [
    spread([bar, span(folderOf(agent.project), 'text', more)], [span(role, 'dim')], columns),
    spread([bar, span(doingOf(agent), tone === 'dim' ? 'dim' : 'text')], [span(age, 'dim')], columns),
  ]
  if (height > 2) {
    const about = [placeOf(agent), agent.subagents ? numberOf(agent.subagents, 'subagent') : '', teamOf(agent)]
    const cost = agent.costUsd ? costWords(agent.costUsd) : ''
    lines.push(spread([bar, span(about.filter(Boolean).join('  '), 'dim')], [span(cost, 'dim')], columns))
  }
  if (height > 3) lines.push([])
  return lines
}

function teamOf({ team }: AgentSummary): string {
  return team ? `team ${cellText(team, 40)}` : ''
}

type Line = { heading: Group } | { agent: AgentSummary }

/** One below the other, under the name of its group. */
function list(groups: Group[], chosen: string | null, context: Context): Row[] {
  const lines: Line[] = groups.flatMap(group => [{ heading: group }, ...group.agents.map(agent => ({ agent }))])
  const at = lines.findIndex(line => 'agent' in line && line.agent.session === chosen)
  const { from, to } = windowOf(lines.length, Math.max(0, at), context.rows)
  return lines.slice(from, to).map(line => {
    if ('agent' in line) return agentLine(line.agent, chosen, context)
    return [{ text: ' ' }, ...headingOf(line.heading, context.columns - 2)]
  })
}

function headingOf({ title, tone, agents }: Group, columns: number): Row {
  const words = cutRow([span(`${title} `, tone, { bold: true }), span(`${agents.length} `, tone)], columns)
  return [...words, span('─'.repeat(Math.max(0, columns - rowWidth(words))), 'dim')]
}

export function agentLine(agent: AgentSummary, chosen: string | null, { board: all, columns, clock }: Context): Row {
  const isChosen = agent.session === chosen
  const tone = STATUS_TONES[agent.status]
  const run = agent.run ? all.runs.get(agent.run) : undefined
  const isWide = columns >= 110
  const left = cellsOf(
    [
      [span(isChosen ? '▶' : ' ', tone), span(folderOf(agent.project), 'text', { bold: true, inverse: isChosen })],
      [span(agent.status, tone)],
      ...(isWide ? [[span([roleOf(agent, run), placeOf(agent)].filter(Boolean).join(' '), 'dim')]] : []),
      [span(doingOf(agent))],
    ],
    isWide ? [22, 10, 22] : [18, 10],
  )
  const right = [
    ...(isWide ? [span(`${agent.costUsd ? costWords(agent.costUsd) : ''}  `, 'dim')] : []),
    span(clock.age(agent.since).padStart(4), 'dim'),
  ]
  return spread([{ text: ' ' }, ...left], right, columns - 1)
}
