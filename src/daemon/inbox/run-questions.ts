import type { RunEvent } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { Answer } from '../../contract/question.ts'
import type { RunState } from '../../core/run/run-state.ts'
import type { Texts } from '../../ports.ts'
import type { Posting, Run } from '../runtime/live-run.ts'
import type { Asked, Inbox } from './inbox.ts'

// What could not be read, on a full or busy disk, may be readable in a moment. Too long: a run waits for an answer to a
// question that nobody sees.
const AGAIN_AFTER_MS = 5_000

type Outside = {
  textsOf(run: string): Texts
  postSurely(run: Run, posting: Posting): Promise<void>
  log(line: string): void
}

/** What one kind of run asks. Ids are the same across restarts: a hook, a person and a script may all know them. */
export type Asking<W extends { id: string }> = {
  wantedBy(state: RunState): W[]
  question(run: Run, wanted: W): Promise<Asked>
  /** What agents are told. */
  words(question: Asked, answer: Answer): string
  answered(text: TextRef, wanted: W, answer: Answer): RunEvent
}

/** Keeps the inbox at what runs of one kind want to know: asks once, closes what is no longer wanted, posts the answer. */
export class RunQuestions<W extends { id: string }> {
  readonly #outside: Outside
  readonly #inbox: Inbox
  readonly #asking: Asking<W>
  /** The open questions of each run, by id. */
  readonly #open = new Map<string, Set<string>>()

  constructor(outside: Outside, inbox: Inbox, asking: Asking<W>) {
    this.#outside = outside
    this.#inbox = inbox
    this.#asking = asking
  }

  /** After every event of a run. */
  look(run: Run): void {
    const open = this.#open.get(run.id) ?? new Set()
    this.#open.set(run.id, open)
    const wanted = this.#asking.wantedBy(run.record.state)
    for (const id of [...open]) {
      if (wanted.some(question => question.id === id)) continue
      open.delete(id)
      this.#inbox.close(id, 'session-end')
    }
    for (const question of wanted) {
      if (open.has(question.id)) continue
      open.add(question.id)
      this.#ask(run, question, open).catch(error => {
        this.#outside.log(`run ${run.id}: ${(error as Error).message}`)
        this.#lookAgain(run, question.id)
      })
    }
  }

  #lookAgain(run: Run, id: string): void {
    const again = setTimeout(() => {
      this.#open.get(run.id)?.delete(id)
      this.look(run)
    }, AGAIN_AFTER_MS)
    again.unref()
  }

  async #ask(run: Run, wanted: W, open: Set<string>): Promise<void> {
    const question = await this.#asking.question(run, wanted)
    // It may have been answered or cancelled while we read.
    if (!open.has(wanted.id)) return
    const answer = await this.#inbox.ask(question)
    if (!answer || !open.delete(wanted.id)) return
    const text = await this.#outside.textsOf(run.id).put(this.#asking.words(question, answer))
    await this.#outside.postSurely(run, ({ state }) => {
      const isWanted = this.#asking.wantedBy(state).some(({ id }) => id === wanted.id)
      return isWanted ? this.#asking.answered(text, wanted, answer) : null
    })
  }
}
