import { type Watched, watchAll } from '../client/watch-everything.ts'
import { RehoboamError } from '../contract/errors.ts'
import { Board } from '../view/board.ts'
import { Clock } from './clock.ts'
import type { Deed } from './deed.ts'
import { type Frame, frameOf } from './frame.ts'
import { Loader } from './loader.ts'
import { type Done, type Outside as Performing, perform } from './perform-deed.ts'
import { press, saying } from './press.ts'
import type { Stroke } from './stroke.ts'
import { AT_FIRST, type Dialog, shownView, type Ui, viewKey } from './ui.ts'

type Outside = Performing & {
  directory: string
  now(): number
  /** Something may look different now. */
  changed(): void
  quit(): void
  /** Gives the terminal to a pane until its reader comes back. */
  showPane(pane: string): Promise<void>
  /** Opens the plan of a quest in its user's editor; says whether it was changed. */
  editPlan(run: string): Promise<boolean>
  /** Puts it where the terminal keeps what is copied. */
  copy(text: string): void
  /** A question is new: where that is wanted, the terminal rings. */
  ring(questions: string[], isQuiet: boolean): void
}

/** The dashboard without a terminal: what is known, what is chosen, what keys do. */
export class Store {
  readonly board = new Board()
  ui: Ui = AT_FIRST
  readonly #outside: Outside
  readonly #loader: Loader
  #frame: Frame | null = null

  constructor(outside: Outside) {
    this.#outside = outside
    this.#loader = new Loader(outside.daemon, outside.environment, () => outside.changed())
  }

  /** Follows the daemon until it is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    this.#loader.follow(signal)
    for await (const item of watchAll(this.#outside.daemon, signal)) this.take(item)
  }

  take(item: Watched): void {
    if (item.type === 'away') this.board.lose(item.why, this.#outside.now())
    else this.board.take(item)
    const { questions, mutedUntil, bell } = this.board.inbox
    this.#outside.ring(
      questions.map(({ id }) => id),
      mutedUntil !== null || !bell,
    )
    this.#load()
    this.#outside.changed()
  }

  /** What to draw, and from now on what keys are about. */
  draw(size: { columns: number; rows: number }): Frame {
    const { board, ui } = this
    this.#frame = frameOf({ board, ui, details: this.#loader.details, clock: new Clock(this.#outside.now()) }, size)
    this.#settle(this.#frame)
    return this.#frame
  }

  press(strokes: Stroke[]): void {
    for (const stroke of strokes) this.#press(stroke)
    this.#load()
    this.#outside.changed()
  }

  #press(stroke: Stroke): void {
    const { directory, environment } = this.#outside
    // Keys that come faster than the screen are about what the ones before them have made of it.
    const frame = this.#frame ?? this.draw({ columns: 80, rows: 24 })
    const now = this.#outside.now()
    const pressed = { ui: this.ui, screen: frame.screen, board: this.board, now, directory, environment }
    const { ui, deed } = press(pressed, stroke)
    this.ui = deed?.do === 'answer' ? { ...ui, answered: new Set(deed.questions) } : ui
    if (deed) void this.#do(deed)
    if (ui !== pressed.ui) this.draw({ columns: frame.columns, rows: frame.rows.length })
  }

  async #do(deed: Deed): Promise<void> {
    if (deed.do === 'quit') return this.#outside.quit()
    if (deed.do === 'copy') {
      this.#outside.copy(deed.command)
      return this.#say(`copied: ${deed.command}`, 'done')
    }
    try {
      if (deed.do === 'edit-plan') return await this.#editPlan(deed.run)
      // Whatever takes its time is seen to have begun.
      if (deed.do === 'merge') this.#say(`run ${deed.run} is being merged …`, 'done')
      await this.#carryOn(deed, await perform(deed, this.#outside))
    } catch (error) {
      if (!(error instanceof RehoboamError)) throw error
      this.#say(error.message, 'failed')
    }
  }

  async #editPlan(run: string): Promise<void> {
    this.#outside.mayChange('plan')
    const isChanged = await this.#outside.editPlan(run)
    this.#say(isChanged ? `run ${run} has a new plan` : 'nothing is changed', 'done')
  }

  async #carryOn(deed: Deed, { said, pane, run, agree }: Done): Promise<void> {
    if (agree) this.ui = { ...this.ui, dialog: { kind: 'agree', ...agree } }
    if (deed.do === 'spawn' && run) {
      this.ui = { ...this.ui, dialog: null, views: [...this.ui.views, { name: 'run', id: run }] }
      this.#load()
    }
    if (pane) await this.#outside.showPane(pane)
    if (said) this.#say(said, 'done')
    else this.#outside.changed()
  }

  #say(text: string, tone: 'done' | 'failed'): void {
    this.ui = saying(this.ui, text, this.#outside.now(), tone)
    this.#outside.changed()
  }

  #load(): void {
    this.#loader.look(shownView(this.ui), this.board)
    const { dialog } = this.ui
    if (dialog?.kind !== 'spawn') return
    this.#loader.lookForChecks(dialog.form, plan => {
      const open: Dialog | null = this.ui.dialog
      if (open?.kind !== 'spawn') return
      this.ui = { ...this.ui, dialog: { kind: 'spawn', form: { ...open.form, plan } } }
      this.#outside.changed()
    })
  }

  /** What is chosen stays chosen, also when what comes next would stand before it. */
  #settle({ screen }: Frame): void {
    const key = viewKey(shownView(this.ui))
    const { [key]: before, ...others } = this.ui.cursors
    // Where nothing is left to choose from, whoever comes next is the first.
    if (screen.chosen === null && before !== undefined) this.ui = { ...this.ui, cursors: others }
    if (screen.chosen === null || before !== undefined) return
    this.ui = { ...this.ui, cursors: { ...others, [key]: screen.chosen } }
  }
}
