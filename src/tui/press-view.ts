import { EMPTY } from './field.ts'
import { going, type Outcome, type Pressed, saying } from './press.ts'
import { pressForDeed } from './press-deed.ts'
import { edit } from './press-dialog.ts'
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

function pressChar(pressed: Pressed, view: View, char: string): Outcome {
  const { ui } = pressed
  const goes = GOES[char]
  if (goes) return { ui: going(ui, { name: goes }) }
  const moves = MOVES[char]
  if (moves) return { ui: moved(pressed, ...moves) }
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
    case ' ':
      return { ui: marking(ui, pressed) }
    default:
      return pressForDeed(pressed, view, char)
  }
}

const GROUPINGS = ['status', 'project', 'team'] as const

function marking(ui: Ui, pressed: Pressed): Ui {
  const { question } = pressed.screen.target
  if (!question) return ui
  const marked = new Set(ui.marked)
  if (!marked.delete(question)) marked.add(question)
  return moved({ ...pressed, ui: { ...ui, marked } }, 0, 1)
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
