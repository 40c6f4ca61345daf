import { cut, plain } from '../../core/plain.ts'
import { allWork, type Question, type QuestRun, sessionNumbered, type Work } from '../../core/quest/state.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { answerWords, ownQuestion } from '../inbox/own-question.ts'
import type { Run } from '../runtime/run.ts'
import { questionId } from './quest-detail.ts'
import { type QuestOutside, questOf, saidText } from './quest-outside.ts'

const TEXT_CHARACTERS = 4_000

type Wanted = { id: string; work: Work; question: Question }

/** What a quest asks of a person. The answer may come after any number of restarts: the question is in the state. */
export class QuestQuestions {
  readonly #outside: QuestOutside
  readonly #inbox: Inbox
  /** The open questions of each run, by id. */
  readonly #open = new Map<string, Set<string>>()

  constructor(outside: QuestOutside, inbox: Inbox) {
    this.#outside = outside
    this.#inbox = inbox
  }

  /** After every event of a run. */
  look(run: Run): void {
    const open = this.#open.get(run.id) ?? new Set()
    this.#open.set(run.id, open)
    const wanted = wantedBy(questOf(run))
    for (const id of [...open]) {
      if (wanted.some(question => question.id === id)) continue
      open.delete(id)
      this.#inbox.close(id, 'session-end')
    }
    for (const question of wanted) {
      if (open.has(question.id)) continue
      open.add(question.id)
      void this.#ask(run, question).catch(error => this.#outside.log(`run ${run.id}: ${(error as Error).message}`))
    }
  }

  async #ask(run: Run, { id, work, question }: Wanted): Promise<void> {
    const state = questOf(run)
    const texts = this.#outside.textsOf(run.id)
    const more = question.text === null ? '' : plain(await saidText(texts, question.text))
    if (!this.#open.get(run.id)?.has(id)) return
    const session = work.session === null ? null : (sessionNumbered(state, work.session)?.id ?? null)
    const text = cut([`${work.id}: ${question.note}`, more].filter(Boolean).join(': '), TEXT_CHARACTERS)
    const about = { id, kind: question.kind, run: run.id, agent: session, step: work.id, text }
    const answer = await this.#inbox.ask(
      ownQuestion({ ...about, project: state.spec.project, askedAt: question.askedAt }),
    )
    if (!answer || !this.#open.get(run.id)?.delete(id)) return
    const said = await texts.put(answerWords(answer))
    await this.#outside.postSurely(run, ({ state: now }) => {
      if (now.kind !== 'quest' || !wantedBy(now).some(one => one.id === id)) return null
      return { type: 'answered', text: said, task: work.id, allow: answer.kind === 'allow' }
    })
  }
}

function wantedBy(state: QuestRun): Wanted[] {
  if (state.spec.noQuestions || state.endedAt !== null) return []
  return allWork(state).flatMap(work => {
    const { question } = work
    return question && work.state === 'asking' ? [{ id: questionId(state.id, question.n), work, question }] : []
  })
}
