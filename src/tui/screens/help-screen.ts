import { cellsOf, cutRow, type Row, span } from '../row.ts'
import type { Context, KeyHint, Screen } from '../screen.ts'
import type { View } from '../ui.ts'

const MOVING: KeyHint[] = [
  ['↑↓←→ hjkl', 'move'],
  ['PgUp PgDn ^U ^D', 'a page'],
  ['Home G', 'to the first, to the last'],
  ['enter', 'open what is chosen'],
  ['tab', 'the next list'],
]

const LISTS: KeyHint[] = [
  ['g', 'agents'],
  ['i', 'inbox: everything that waits for you'],
  ['r', 'runs'],
  ['T', 'tasks of all pools'],
  ['e', 'events'],
  ['d', 'totals'],
  ['/', 'search agents, questions, runs and tasks'],
]

const DEEDS: KeyHint[] = [
  ['s', 'start a session, a loop, a pool or a quest'],
  ['y  n', 'allow, deny what is asked (n on a loop: it ends after this iteration)'],
  ['Y  N', 'allow always for this run; deny and say why'],
  ['a  1-9', 'answer with a text, or with an option'],
  ['space', 'mark several questions; y and n are then about all of them'],
  ['t', 'tell: a message for the agent'],
  ['o', 'jump to its pane; a headless session goes on in one'],
  ['p', 'pause, or go on'],
  ['R', 'go on with a run that has stopped or ended; on a step that waits: try it again'],
  ['X', 'cancel'],
  ['F', 'freeze all runs, or let them go on'],
  ['D', 'diff of what a run has changed'],
  ['v', 'the verdict on an iteration is wrong'],
  ['B', 'take the checkpoint of an iteration out, into a new branch'],
  ['M', 'merge what a run with worktrees made into your branch'],
  ['S  E', 'quest: leave a step out; change the plan in your editor'],
  ['A  C  f', 'pool: add a task; claim one, or give it back; it is done'],
  ['m', 'mute for half an hour, or end it'],
  ['w  b', 'agents by status, project or team; as a board or a list'],
  ['c', 'copy the command that shows or does the same'],
  ['q ^C', 'quit: nothing is stopped by it'],
]

const ABOUT: Partial<Record<View['name'], string>> = {
  agents: 'Every session of a client that is known. Who needs you stands first; nothing moves under your cursor.',
  inbox: 'Everything that waits for a person, in one list. The first answer wins, wherever it is given.',
  runs: 'Sessions, loops, pools and quests that are driven for you. What goes on stands first.',
  run: 'One run: what came of each iteration, task or step, and below it what its session says.',
  agent: 'One agent: what it says as it says it, its tools and how long they took, files, subagents.',
  tasks: 'The tasks of all pools: add one, take one for yourself, say that one is done.',
  events: 'Hooks of agents and events of runs, the newest last.',
  totals: 'Everything counted. Money of today is what was started since midnight.',
  diff: 'What a run has changed, from before its start to its last checkpoint.',
}

export function helpScreen(context: Context, of: View): Screen {
  const { columns, rows, ui } = context
  const lines: Row[] = [
    ...(ABOUT[of.name] ? [[span(ABOUT[of.name]!)], []] : []),
    ...block('moving', MOVING),
    ...block('lists', LISTS),
    ...block('doing', DEEDS),
    [
      span(
        'Money "today" in the header is what was started since midnight; a status with a ? has witnesses that disagree.',
        'dim',
      ),
    ],
    [span('Every command of rehoboam does the same from a shell: rehoboam --help.', 'dim')],
  ]
  const most = Math.max(0, lines.length - rows)
  const from = Math.min(ui.scrolls.help ?? 0, most)
  return {
    title: `help  ${of.name}${most > 0 ? `  ${from + 1}-${Math.min(lines.length, from + rows)} of ${lines.length} lines` : ''}`,
    rows: lines.slice(from, from + rows).map(row => cutRow([{ text: ' ' }, ...row], columns)),
    grid: [],
    chosen: null,
    target: {},
    keys: [['↑↓', 'scroll']],
    scroll: { most, page: rows, fromEnd: false },
  }
}

function block(title: string, hints: KeyHint[]): Row[] {
  const rows = hints.map(([key, word]) => cellsOf([[span(`  ${key}`, 'key', { bold: true })], word], [18]))
  return [[span(title, 'dim', { bold: true })], ...rows, []]
}
