import type { QuestionKind } from '../../contract/question.ts'
import { CAUSES, type Cause } from '../../contract/run.ts'
import type { LoopRun } from '../../core/loop/loop-state.ts'
import { isAway } from '../../core/loop/outage.ts'
import { cut, oneLine, plain } from '../../core/plain-text.ts'
import type { RunState } from '../../core/run/run-state.ts'
import type { Texts } from '../../ports.ts'
import type { Asked } from '../inbox/inbox.ts'
import { answerWords, ownQuestion } from '../inbox/own-question.ts'
import type { Asking } from '../inbox/run-questions.ts'
import { loopOf } from '../runtime/run-kinds.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import type { LoopOutside } from './loop-outside.ts'

const TEXT_CHARACTERS = 1_500
// More than a page; the rest is in rehoboam diff.
const CHANGES_CHARACTERS = 20_000

const KINDS: Partial<Record<Cause, QuestionKind>> = {
  'waits-for-person': 'question',
  'ward-could-not-run': 'ward',
  crashed: 'crash',
  stuck: 'stall',
  outage: 'crash',
  overloaded: 'crash',
}

export type WantedByLoop = { id: string }

/**
 * A blocked loop is a question in the inbox, once; the answer goes into the next prompt. So are checks that were changed
 * when a loop is complete: whoever answers has seen them.
 */
export function loopAsking({ textsOf }: LoopOutside): Asking<WantedByLoop> {
  return {
    wantedBy,
    question: (run, { id }) => questionOf(loopOf(run), id, textsOf(run.id)),
    words: (question, answer) => `${question.text}\n\n${answerWords(answer)}`,
    answered: text => ({ type: 'answered', text }),
  }
}

function wantedBy(state: RunState): WantedByLoop[] {
  if (state.kind !== 'loop') return []
  const { id, blocks, iteration } = state
  if (state.status === 'blocked') return [{ id: sessionIdOf(`question ${id} ${blocks}`) }]
  return isToBeSeen(state) ? [{ id: sessionIdOf(`changed checks ${id} ${iteration}`) }] : []
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
  // What nobody but the model or its address can mend: there is nothing to say but that it is worth another try.
  const again = isAway(state) ? ', for an hour; any answer tries again' : ''
  return `iteration ${state.iteration}: ${CAUSES[cause]}${again}${more ? `: ${more}` : ''}`
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
