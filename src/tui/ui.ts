import type { Deed } from './deed.ts'
import { EMPTY, type Field } from './field.ts'
import type { SpawnForm } from './spawn-form.ts'

export type ListName = 'agents' | 'runs' | 'inbox' | 'tasks' | 'events' | 'totals'
export type View =
  | { name: ListName }
  | { name: 'search' }
  | { name: 'help'; of: View }
  | { name: 'run' | 'agent' | 'diff' | 'question'; id: string }

type Grouping = 'status' | 'project' | 'team'

/** Something that has to be typed or agreed to before it is done. */
export type Dialog =
  | { kind: 'text'; title: string; field: Field; deed: (text: string) => Deed }
  | { kind: 'agree'; sentence: string; deed: Deed }
  | { kind: 'spawn'; form: SpawnForm }

type Notice = { text: string; tone: 'text' | 'done' | 'failed' | 'attention'; until: number }

/** Where its user is: what is shown, what is chosen, what is being typed. Nothing of it is known to the daemon. */
export type Ui = {
  /** The last one is shown; esc goes back. */
  views: View[]
  /** What is chosen in each view, by id. */
  cursors: Record<string, string>
  /** How many lines are scrolled: from the end where output grows, else from the start. */
  scrolls: Record<string, number>
  grouping: Grouping
  layout: 'board' | 'list'
  marked: ReadonlySet<string>
  /** What was answered last, here: that these are closed is no news. */
  answered: ReadonlySet<string>
  search: Field
  dialog: Dialog | null
  notice: Notice | null
}

export const AT_FIRST: Ui = {
  views: [{ name: 'agents' }],
  cursors: {},
  scrolls: {},
  grouping: 'status',
  layout: 'board',
  marked: new Set(),
  answered: new Set(),
  search: EMPTY,
  dialog: null,
  notice: null,
}

export function shownView(ui: Ui): View {
  return ui.views.at(-1) ?? { name: 'agents' }
}

export function viewKey(view: View): string {
  return 'id' in view ? `${view.name} ${view.id}` : view.name
}
