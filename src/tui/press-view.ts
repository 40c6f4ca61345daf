import type { Answer, AnswerRequest } from '../contract/inbox.ts'
import type { RunSummary } from '../contract/run.ts'
import { commandOf, type Deed } from './deed.ts'
import { EMPTY } from './field.ts'
import { going, type Outcome, type Pressed, saying } from './press.ts'
import { edit } from './press-dialog.ts'
import { newForm } from './spawn-form.ts'
import type { Stroke } from './stroke.ts'
import { type ListName, shownView, type Ui, type View, viewKey } from './ui.ts'

export function pressInView(pressed: Pressed, stroke: Stroke): Outcome {
  const view = shownView(pressed.ui)
  if ('paste' in stroke) return { ui: view.name === 'search' ? searching(pressed.ui, stroke) : pressed.ui }
  if ('key' in stroke) return pressNamed(pressed, view, stroke)
  if (view.name === 'search') return { ui: searching(pressed.ui, stroke) }
  if ('ctrl' in stroke) return { ui: pressCtrl(pressed, stroke.ctrl) }
  return pressChar(pressed, view, stroke.char)
}

function searching(ui: Ui, stroke: Stroke): Ui {
  return { ...ui, search: edit(ui.search, stroke), cursors: without(ui.cursors, 'search') }
}

function without(record: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _, ...rest } = record
  return rest
}

function pressNamed(pressed: Pressed, view: View, stroke: Extract<Stroke, { key: string }>): Outcome {
  const { ui } = pressed
  switch (stroke.key) {
    case 'escape':
      return { ui: back(ui) }
    case 'enter':
      return opened(pressed, view)
    case 'up':
      return { ui: moved(pressed, 0, -1) }
    case 'down':
      return { ui: moved(pressed, 0, 1) }
    case 'left':
      return { ui: view.name === 'search' ? searching(ui, stroke) : moved(pressed, -1, 0) }
    case 'right':
      return { ui: view.name === 'search' ? searching(ui, stroke) : moved(pressed, 1, 0) }
    case 'pageUp':
      return { ui: paged(pressed, -1) }
    case 'pageDown':
      return { ui: paged(pressed, 1) }
    case 'home':
      return { ui: moved(pressed, 0, Number.NEGATIVE_INFINITY) }
    case 'end':
      return { ui: moved(pressed, 0, Number.POSITIVE_INFINITY) }
    case 'backspace':
      return { ui: view.name === 'search' ? searching(ui, stroke) : back(ui) }
    case 'tab':
      return { ui: going(ui, nextList(view, 1)) }
    case 'backTab':
      return { ui: going(ui, nextList(view, -1)) }
  }
}

const LISTS: ListName[] = ['agents', 'inbox', 'runs', 'tasks', 'events', 'totals']

function nextList(view: View, by: 1 | -1): View {
  const at = LISTS.indexOf(view.name as ListName)
  return { name: LISTS[(Math.max(0, at) + by + LISTS.length) % LISTS.length]! }
}

function back(ui: Ui): Ui {
  if (ui.marked.size > 0) return { ...ui, marked: new Set() }
  return ui.views.length > 1 ? { ...ui, views: ui.views.slice(0, -1) } : { ...ui, views: [{ name: 'agents' }] }
}

function pressCtrl(pressed: Pressed, letter: string): Ui {
  if (letter === 'd' || letter === 'f') return paged(pressed, 1)
  return letter === 'u' || letter === 'b' ? paged(pressed, -1) : pressed.ui
}

const GOES: Record<string, ListName> = { g: 'agents', r: 'runs', i: 'inbox', T: 'tasks', e: 'events', d: 'totals' }
const MOVES: Record<string, [number, number]> = { h: [-1, 0], j: [0, 1], k: [0, -1], l: [1, 0] }
const MUTE_MS = 1_800_000

function pressChar(pressed: Pressed, view: View, char: string): Outcome {
  const { ui, screen, board, now } = pressed
  const { target } = screen
  const goes = GOES[char]
  if (goes) return { ui: going(ui, { name: goes }) }
  const moves = MOVES[char]
  if (moves) return { ui: moved(pressed, ...moves) }
  const run = target.run === undefined ? undefined : board.runs.get(target.run)
  switch (char) {
    case 'q':
      return { ui, deed: { do: 'quit' } }
    case '?':
      return { ui: view.name === 'help' ? back(ui) : going(ui, { name: 'help', of: view }) }
    case '/':
      return { ui: going({ ...ui, search: EMPTY, cursors: without(ui.cursors, 'search') }, { name: 'search' }) }
    case 'G':
      return { ui: moved(pressed, 0, Number.POSITIVE_INFINITY) }
    case 'b':
      return { ui: { ...ui, layout: ui.layout === 'board' ? 'list' : 'board' } }
    case 'w':
      return { ui: { ...ui, grouping: GROUPINGS[(GROUPINGS.indexOf(ui.grouping) + 1) % GROUPINGS.length]! } }
    case 's':
      return { ui: { ...ui, dialog: { kind: 'spawn', form: newForm(pressed.directory) } } }
    case ' ':
      return { ui: marking(ui, target.question, pressed) }
    case 'y':
      return decide(pressed, { kind: 'allow' }, 'no')
    case 'Y':
      return decide(pressed, { kind: 'allow' }, 'run')
    case 'n':
      return target.question === undefined && run?.kind === 'loop' ? reject(ui, run) : deny(pressed)
    case 'N':
      return asking(pressed, 'why not', reason => ({ kind: 'deny', reason }))
    case 'a':
      return asking(pressed, 'answer', text => ({ kind: 'text', text }))
    case 't':
      return tell(pressed)
    case 'm':
      return { ui, deed: { do: 'mute', forMs: board.inbox.mutedUntil ? 0 : MUTE_MS } }
    case 'o':
      return target.run || target.agent ? { ui, deed: { do: 'open', ...openOf(target), isAgreed: false } } : { ui }
    case 'D':
      return run ? { ui: going(ui, { name: 'diff', id: run.id }) } : { ui: saying(ui, NO_RUN, now) }
    case 'v':
      return verdict(pressed, run)
    case 'p':
      return run ? { ui, deed: pauseOf(run) } : { ui: saying(ui, NO_RUN, now) }
    case 'R':
      return run ? { ui, deed: { do: 'resume', run: run.id, text: null } } : { ui: saying(ui, NO_RUN, now) }
    case 'X':
      return run ? agreeing(ui, `cancel run ${run.id} now?`, { do: 'change', command: 'cancel', run: run.id }) : { ui }
    case 'F':
      return freeze(pressed)
    case 'c':
      return { ui, deed: { do: 'copy', command: copied(pressed, view) } }
    default:
      return /^[1-9]$/.test(char) ? option(pressed, Number(char)) : { ui }
  }
}

const GROUPINGS = ['status', 'project', 'team'] as const
const NO_RUN = 'this belongs to no run of ours'

function pauseOf(run: RunSummary): Deed {
  if (run.status === 'active') return { do: 'change', run: run.id, command: 'pause' }
  return { do: 'resume', run: run.id, text: null }
}

function agreeing(ui: Ui, sentence: string, deed: Deed): Outcome {
  return { ui: { ...ui, dialog: { kind: 'agree', sentence: `${sentence}  y yes, n no`, deed } } }
}

function reject(ui: Ui, run: RunSummary): Outcome {
  return agreeing(ui, `end loop ${run.id} after this iteration?`, { do: 'change', command: 'reject', run: run.id })
}

function openOf({ run, agent }: { run?: string; agent?: string }) {
  return { ...(run && { run }), ...(agent && { agent }) }
}

/** The marked ones, or the one that is chosen. One that was closed meanwhile is not replaced by its neighbour. */
function decide({ ui, screen, now }: Pressed, answer: Answer, always: AnswerRequest['always']): Outcome {
  const view = shownView(ui)
  const wanted = ui.cursors[viewKey(view)]
  if (view.name === 'inbox' && ui.marked.size === 0 && wanted !== undefined && wanted !== screen.chosen) {
    const there = screen.chosen === null ? ui.cursors : { ...ui.cursors, inbox: screen.chosen }
    return { ui: saying({ ...ui, cursors: there }, CLOSED, now, 'attention') }
  }
  const marked = view.name === 'inbox' ? [...ui.marked] : []
  const questions = marked.length > 0 ? marked : screen.target.question ? [screen.target.question] : []
  if (questions.length === 0) return { ui: saying(ui, 'nothing is asked here', now) }
  return { ui: { ...ui, marked: new Set() }, deed: { do: 'answer', questions, answer, always } }
}

const CLOSED = 'the question that you had chosen is closed; this is another one: press again for it'

function deny(pressed: Pressed): Outcome {
  return decide(pressed, { kind: 'deny', reason: 'the user said no' }, 'no')
}

function option(pressed: Pressed, number: number): Outcome {
  const { ui, screen, board } = pressed
  const question = board.inbox.questions.find(({ id }) => id === screen.target.question)
  if (!question || number > question.options.length) return { ui }
  return decide({ ...pressed, ui: { ...ui, marked: new Set() } }, { kind: 'text', text: String(number) }, 'no')
}

function asking({ ui, screen, now }: Pressed, title: string, answer: (text: string) => Answer): Outcome {
  const { question } = screen.target
  if (!question) return { ui: saying(ui, 'nothing is asked here', now) }
  const deed = (text: string): Deed => ({ do: 'answer', questions: [question], answer: answer(text), always: 'no' })
  return { ui: { ...ui, dialog: { kind: 'text', title, field: EMPTY, deed } } }
}

function tell({ ui, screen, now }: Pressed): Outcome {
  const { run, agent } = screen.target
  if (!run && !agent) return { ui: saying(ui, 'there is nobody to tell', now) }
  const who = openOf(screen.target)
  const deed = (text: string): Deed => ({ do: 'tell', ...who, text })
  return { ui: { ...ui, dialog: { kind: 'text', title: `tell ${run ?? agent?.slice(0, 8)}`, field: EMPTY, deed } } }
}

function verdict({ ui, screen, now }: Pressed, run: RunSummary | undefined): Outcome {
  const { iteration } = screen.target
  if (!run || iteration === undefined) return { ui: saying(ui, 'choose an iteration of a loop first', now) }
  const deed = (wrong: string): Deed => ({ do: 'verdict', run: run.id, iteration, wrong })
  const title = `the verdict on iteration ${iteration} is wrong, because`
  return { ui: { ...ui, dialog: { kind: 'text', title, field: EMPTY, deed } } }
}

function freeze({ ui, board, now }: Pressed): Outcome {
  const runs = board.rootRuns()
  const active = runs.filter(({ status }) => status === 'active').length
  if (active > 0)
    return agreeing(ui, `freeze ${active === 1 ? 'the one run' : `all ${active} runs`} that work?`, { do: 'freeze' })
  const paused = runs.some(({ cause }) => cause === 'paused-by-user')
  return paused
    ? agreeing(ui, 'let everything that was frozen go on?', { do: 'thaw' })
    : { ui: saying(ui, 'no run works', now) }
}

function marking(ui: Ui, question: string | undefined, pressed: Pressed): Ui {
  if (!question) return ui
  const marked = new Set(ui.marked)
  if (!marked.delete(question)) marked.add(question)
  return moved({ ...pressed, ui: { ...ui, marked } }, 0, 1)
}

/** The command that shows or does what the screen is about. */
function copied({ screen: { target }, board }: Pressed, view: View): string {
  if (view.name === 'diff') return `rehoboam diff ${view.id}`
  if (target.question && (view.name === 'inbox' || view.name === 'question')) {
    const question = board.inbox.questions.find(({ id }) => id === target.question)
    const answer: Answer = question?.kind === 'permission' ? { kind: 'allow' } : { kind: 'text', text: 'text' }
    return commandOf({ do: 'answer', questions: [target.question], answer, always: 'no' }) ?? ''
  }
  if (target.task) return `rehoboam task list --run ${target.task.run}`
  if (view.name === 'agent' || view.name === 'agents') return `rehoboam show ${target.agent?.slice(0, 8) ?? ''}`.trim()
  if (target.run) return `rehoboam show ${target.run}`
  return `rehoboam ${view.name === 'inbox' || view.name === 'runs' ? view.name : 'agents'}`
}

/** Within a column by lines, between columns at the same height; what only scrolls is scrolled. */
function moved({ ui, screen }: Pressed, across: number, down: number): Ui {
  const { grid, chosen } = screen
  if (grid.every(column => column.length === 0)) return scrolled(ui, screen, down)
  const column = Math.max(
    0,
    grid.findIndex(ids => chosen !== null && ids.includes(chosen)),
  )
  const at = Math.max(0, grid[column]!.indexOf(chosen ?? ''))
  const to = grid[Math.min(Math.max(0, column + across), grid.length - 1)]!
  const next = to[Math.min(Math.max(0, at + down), to.length - 1)]
  return next === undefined ? ui : { ...ui, cursors: { ...ui.cursors, [viewKey(shownView(ui))]: next } }
}

function paged(pressed: Pressed, by: 1 | -1): Ui {
  const { ui, screen } = pressed
  return screen.scroll ? scrolled(ui, screen, by * screen.scroll.page) : moved(pressed, 0, by * 10)
}

function scrolled(ui: Ui, { scroll }: Pressed['screen'], down: number): Ui {
  if (!scroll || down === 0) return ui
  const key = viewKey(shownView(ui))
  const before = ui.scrolls[key] ?? 0
  const next = Math.min(Math.max(0, before + (scroll.fromEnd ? -down : down)), scroll.most)
  return { ...ui, scrolls: { ...ui.scrolls, [key]: next } }
}

function opened({ ui, screen, board, now }: Pressed, view: View): Outcome {
  const { target, chosen } = screen
  if (chosen === null && view.name !== 'agent') return { ui }
  if (view.name === 'inbox' && target.question) return { ui: going(ui, { name: 'question', id: target.question }) }
  if (view.name === 'search' && target.question) {
    return { ui: going({ ...ui, cursors: { ...ui.cursors, inbox: target.question } }, { name: 'inbox' }) }
  }
  const isListOfAgents = view.name === 'agents' || (view.name === 'search' && target.agent)
  if (isListOfAgents && target.agent) return { ui: going(ui, { name: 'agent', id: target.agent }) }
  if (view.name === 'run' && target.agent) {
    const isKnown = board.agents.has(target.agent)
    return { ui: isKnown ? going(ui, { name: 'agent', id: target.agent }) : saying(ui, GONE, now) }
  }
  return target.run && viewKey(view) !== `run ${target.run}`
    ? { ui: going(ui, { name: 'run', id: target.run }) }
    : { ui }
}

const GONE = 'its session ended long ago; rehoboam logs of its run has what it said'
