import type { QuestionKind } from '../../contract/inbox.ts'
import { CAUSES, type Cause } from '../../contract/run.ts'
import type { LoopRun } from '../../core/loop/state.ts'
import { cut, oneLine, plain } from '../../core/plain.ts'
import type { Texts } from '../../ports.ts'
import type { Asked, Inbox } from '../inbox/inbox.ts'
import { answerWords, ownQuestion } from '../inbox/own-question.ts'
import type { Run } from '../runtime/run.ts'
import { type LoopOutside, loopOf, sessionIdOf } from './loop-outside.ts'

const TEXT_CHARACTERS = 1_500
// More than a page; the rest is in rehoboam diff.
const CHANGES_CHARACTERS = 20_000

const KINDS: Partial<Record<Cause, QuestionKind>> = {
  'waits-for-person': 'question',
  'ward-could-not-run': 'ward',
  crashed: 'crash',
  stuck: 'stall',
}

/**
 * A blocked loop is a question in the inbox, once; the answer goes into the next prompt. So are checks that were changed
 * when a loop is complete: whoever answers has seen them.
 */
export class LoopQuestions {
  readonly #outside: LoopOutside
  readonly #inbox: Inbox
  /** The open question of each run. */
  readonly #open = new Map<string, string>()

  constructor(outside: LoopOutside, inbox: Inbox) {
    this.#outside = outside
    this.#inbox = inbox
  }

  /** After every event of a run. */
  look(run: Run): void {
    const state = loopOf(run)
    const wanted = wantedBy(state)
    const open = this.#open.get(run.id)
    if (open === (wanted ?? undefined)) return
    if (open) {
      this.#open.delete(run.id)
      this.#inbox.close(open, 'session-end')
    }
    if (wanted) {
      this.#open.set(run.id, wanted)
      void this.#ask(run, state, wanted).catch(error => this.#outside.log(`run ${run.id}: ${(error as Error).message}`))
    }
  }

  async #ask(run: Run, state: LoopRun, id: string): Promise<void> {
    const texts = this.#outside.textsOf(run.id)
    const question = await questionOf(state, id, texts)
    // It may have been answered or cancelled while we read.
    if (this.#open.get(run.id) !== id) return
    const answer = await this.#inbox.ask(question)
    if (!answer || this.#open.get(run.id) !== id) return
    this.#open.delete(run.id)
    const text = await texts.put(`${question.text}\n\n${answerWords(answer)}`)
    await this.#outside.postSurely(run, ({ state: now }) =>
      now.kind === 'loop' && wantedBy(now) === id ? { type: 'answered', text } : null,
    )
  }
}

/** Its id is the same across restarts: a hook, a person and a script may all know it. */
function wantedBy(state: LoopRun): string | null {
  const { id, blocks, iteration } = state
  if (state.status === 'blocked') return sessionIdOf(`question ${id} ${blocks}`)
  return isToBeSeen(state) ? sessionIdOf(`changed checks ${id} ${iteration}`) : null
}

function isToBeSeen({ status, lastWard, iteration, changesSeen }: LoopRun): boolean {
  return status === 'complete' && lastWard?.tampered === true && lastWard.iteration === iteration && !changesSeen
}

async function questionOf(state: LoopRun, id: string, texts: Texts): Promise<Asked> {
  const cause = state.cause ?? 'waits-for-person'
  const last = state.iterations.at(-1)
  const askedAt = last?.endedAt ?? state.createdAt
  const changed = isToBeSeen(state)
  return ownQuestion({
    id,
    kind: changed ? 'ward' : (KINDS[cause] ?? 'stall'),
    run: state.id,
    agent: last?.session ?? null,
    step: null,
    text: changed ? await changedText(state, texts) : await blockedText(state, cause, texts),
    project: state.spec.project,
    askedAt,
  })
}

async function blockedText(state: LoopRun, cause: Cause, texts: Texts): Promise<string> {
  const last = state.iterations.at(-1)
  // A judge by words only points at a sentence: what the agent said is what a person wants to read.
  const said = state.loop.judge === 'model' ? last?.because : last?.facts?.lastMessage
  const ref = cause === 'ward-could-not-run' ? state.lastWard?.report : said
  const more = ref ? oneLine(await texts.get(ref).catch(() => ''), TEXT_CHARACTERS) : ''
  return `iteration ${state.iteration}: ${CAUSES[cause]}${more ? `: ${more}` : ''}`
}

/** What was changed in the checks stands there as it is, less what a terminal could obey. */
async function changedText({ lastWard, iteration }: LoopRun, texts: Texts): Promise<string> {
  const read = async (ref: string | null | undefined) => (ref ? plain(await texts.get(ref).catch(() => '')) : '')
  const parts = [
    `iteration ${iteration}: the run is complete, unproven; any answer says that you have seen why.`,
    await read(lastWard?.report),
    await read(lastWard?.changes),
  ]
  return cut(parts.filter(Boolean).join('\n'), CHANGES_CHARACTERS)
}
