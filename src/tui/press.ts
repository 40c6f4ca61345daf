import type { Board } from '../view/board.ts'
import type { Deed } from './deed.ts'
import { pressInDialog } from './press-dialog.ts'
import { pressInView } from './press-view.ts'
import type { Screen } from './screen.ts'
import type { Stroke } from './stroke.ts'
import { type Ui, type View, viewKey } from './ui.ts'

export type Outcome = { ui: Ui; deed?: Deed }

/** What a key meets. `screen` is what was last drawn: a key is about what its user saw. */
export type Pressed = {
  ui: Ui
  screen: Screen
  board: Board
  now: number
  /** The directory in which the dashboard was started, and the environment that runs get. */
  directory: string
  environment: Record<string, string>
}

export function press(pressed: Pressed, stroke: Stroke): Outcome {
  if ('ctrl' in stroke && stroke.ctrl === 'c') return { ui: pressed.ui, deed: { do: 'quit' } }
  const { ui } = pressed
  const without = { ...pressed, ui: ui.notice ? { ...ui, notice: null } : ui }
  return ui.dialog ? pressInDialog(without, ui.dialog, stroke) : pressInView(without, stroke)
}

// Long enough to be read, short enough not to hide the keys.
const NOTICE_MS = 6_000
// What was refused stays until the next key, or until nobody can be looking for it any more.
const REFUSAL_MS = 60_000

export function saying(ui: Ui, text: string, now: number, tone: NonNullable<Ui['notice']>['tone'] = 'text'): Ui {
  return { ...ui, notice: { text, tone, until: now + (tone === 'failed' ? REFUSAL_MS : NOTICE_MS) } }
}

export function going(ui: Ui, view: View): Ui {
  const isThere = viewKey(ui.views.at(-1)!) === viewKey(view)
  return isThere ? ui : { ...ui, views: [...ui.views.slice(-20), view] }
}
