import type { AgentSummary } from '../../contract/agent.ts'
import type { AgentDetail } from '../../contract/agent-detail.ts'
import { cellText } from '../../view/cell-text.ts'
import { costWords, durationWords, numberOf, tokenWords } from '../../view/words.ts'
import { doingOf, folderOf, placeOf, roleOf, STATUS_TONES } from '../agent-cells.ts'
import type { Clock } from '../clock.ts'
import { outputRows } from '../output-rows.ts'
import { cutRow, padTo, type Row, span, spread } from '../row.ts'
import type { Context, KeyHint, Screen } from '../screen.ts'
import { targetOf } from './agents-screen.ts'

/** One agent: what it does and why, what it says as it says it, its tools with how long they took, files, subagents. */
export function agentScreen(context: Context, id: string): Screen {
  const { board, details, columns, rows, ui } = context
  const agent = board.agents.get(id)
  const detail = details.agents.get(id)
  if (!agent) {
    return {
      title: `agent  ${id.slice(0, 8)}`,
      rows: [[], [span('  It has left the list; rehoboam logs still has what it said.', 'dim')]],
      grid: [],
      chosen: null,
      target: {},
      keys: [],
    }
  }
  const facts = factRows(agent, detail, context)
  const left = rows - facts.length
  const isWide = columns >= 110
  const side = detail ? sideRows(detail, context) : []
  const sideWidth = isWide ? Math.min(64, Math.floor(columns * 0.38)) : 0
  // Narrow: what it uses stands above what it says, and takes no more than a third.
  const above = isWide ? [] : side.slice(0, Math.max(0, Math.min(side.length, Math.floor(left / 3))))
  const height = Math.max(1, left - above.length)
  const back = ui.scrolls[`agent ${id}`] ?? 0
  const said = outputRows(details.output.get(id) ?? [], isWide ? columns - sideWidth - 2 : columns, height, back)
  const output = said.rows.length > 0 ? said.rows : [[span(' nothing said yet', 'dim')]]
  const body = isWide
    ? Array.from({ length: height }, (_, n) => [
        ...padTo(output[n] ?? [], columns - sideWidth - 2),
        span('│ ', 'dim'),
        ...cutRow(side[n] ?? [], sideWidth),
      ])
    : [...above.map(row => cutRow([{ text: ' ' }, ...row], columns)), ...output]
  return {
    title: `agent  ${folderOf(agent.project)}  ${agent.session.slice(0, 8)}${back ? `  ${back} lines back` : ''}`,
    rows: [...facts, ...body],
    grid: [],
    chosen: null,
    target: targetOf(board, id),
    keys: keysOf(agent, targetOf(board, id).question !== undefined),
    scroll: { most: said.most, page: height, fromEnd: true },
  }
}

function keysOf(agent: AgentSummary, asks: boolean): KeyHint[] {
  const decides: KeyHint[] = [
    ['y', 'allow'],
    ['n', 'deny'],
    ['a', 'answer'],
  ]
  const runs: KeyHint[] = [
    ['p', 'pause'],
    ['X', 'cancel'],
    ['D', 'diff'],
  ]
  return [...(asks ? decides : []), ['o', 'pane'], ['t', 'tell'], ...(agent.run ? runs : []), ['↑↓', 'scroll']]
}

function factRows(agent: AgentSummary, detail: AgentDetail | undefined, { board, columns, clock }: Context): Row[] {
  const run = agent.run ? board.runs.get(agent.run) : undefined
  const tone = STATUS_TONES[agent.status]
  const role = roleOf(agent, run)
  const about = [role, placeOf(agent), agent.team ? `team ${cellText(agent.team, 40)}` : '', branchOf(detail)]
  const with_ = [
    agent.model ? cellText(agent.model, 40) : '',
    detail?.effort ? `effort ${cellText(detail.effort, 20)}` : '',
    detail?.permissionMode ? cellText(detail.permissionMode, 30) : '',
    agent.pane ? `pane ${cellText(agent.pane, 60)}` : 'no pane',
    `${tokenWords(agent.tokens)} tokens`,
    `${tokenWords(agent.contextTokens)} in context`,
    detail?.compactions ? `${numberOf(detail.compactions, 'compaction')}` : '',
  ]
  const rows = [
    spread(
      [{ text: ' ' }, span(agent.status, tone, { bold: true }), span(`  ${doingOf(agent)}`)],
      [span(`${clock.age(agent.since)}  ${costWords(agent.costUsd)} `, 'dim')],
      columns,
    ),
    cutRow([{ text: ' ' }, span([...about, ...with_].filter(Boolean).join('  '), 'dim')], columns),
  ]
  if (agent.unsure) rows.push(cutRow([span(` unsure: ${cellText(agent.unsure, 200)}`, 'attention')], columns))
  const asked = board.inbox.questions.find(question => question.agent === agent.session)
  if (asked) rows.push(cutRow([span(` asks: ${cellText(asked.text, 300)}`, 'attention', { bold: true })], columns))
  return [...rows, []]
}

function branchOf(detail: AgentDetail | undefined): string {
  return detail?.branch ? `branch ${cellText(detail.branch, 60)}` : ''
}

const TOOLS_SHOWN = 10
const FILES_SHOWN = 8

function sideRows(detail: AgentDetail, { clock }: Context): Row[] {
  const running = detail.tools
    .filter(({ subagent }) => subagent === '')
    .map(({ words, since }) => [span(clock.age(since).padStart(8), 'working'), span(`  ${cellText(words, 200)}`)])
  const ended = detail.recentTools.slice(-TOOLS_SHOWN).map(({ words, ms, failed }) => {
    return [span(durationWords(ms).padStart(8), failed ? 'failed' : 'dim'), span(`  ${cellText(words, 200)}`, 'dim')]
  })
  return [
    ...section('tools', [...running, ...ended.reverse()]),
    ...section('subagents', subagentRows(detail, clock)),
    ...section(
      'background',
      detail.background.map(words => [span(cellText(words, 200))]),
    ),
    ...section(
      `files ${detail.files.length || ''}`,
      detail.files.slice(-FILES_SHOWN).map(path => [span(shortPath(path, detail.cwd), 'dim')]),
    ),
    ...section(
      'tasks',
      detail.tasks.map(({ subject, done, begun }) => {
        return [span(done ? '✓ ' : begun ? '● ' : '· ', done ? 'done' : 'working'), span(cellText(subject, 120))]
      }),
    ),
    ...section(
      'team',
      detail.mates.map(({ name, idle, shutdownAsked }) => {
        return [
          span(`${cellText(name, 40)}  ${idle ? 'idle' : 'working'}${shutdownAsked ? ', asked to shut down' : ''}`),
        ]
      }),
    ),
  ]
}

function subagentRows({ subagentTree }: AgentDetail, clock: Clock): Row[] {
  return subagentTree
    .slice(-6)
    .flatMap(({ type, id, since, endedAt, tools }) => [
      [
        span(endedAt ? '✓ ' : '● ', endedAt ? 'done' : 'working'),
        span(`${cellText(type || 'subagent', 30)} ${cellText(id, 12)}`),
        span(`  ${endedAt ? 'ended' : clock.age(since)}`, 'dim'),
      ],
      ...tools.slice(-2).map(words => [span(`  └ ${cellText(words, 120)}`, 'dim')]),
    ])
}

function shortPath(path: string, cwd: string): string {
  return cellText(cwd && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path, 300)
}

function section(title: string, rows: Row[]): Row[] {
  return rows.length === 0 ? [] : [[span(title.trim(), 'dim', { bold: true })], ...rows, []]
}
