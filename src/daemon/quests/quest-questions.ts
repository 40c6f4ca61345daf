import { cut, plain } from '../../core/plain-text.ts'
import { allWork, type Question, sessionNumbered, type Work } from '../../core/quest/quest-state.ts'
import type { RunState } from '../../core/run/run-state.ts'
import { answerWords, ownQuestion } from '../inbox/own-question.ts'
import type { Asking } from '../inbox/run-questions.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import { questOf } from '../runtime/run-kinds.ts'
import { questionId } from './quest-detail.ts'
import { saidText } from './quest-texts.ts'

const TEXT_CHARACTERS = 4_000

export type WantedByQuest = { id: string; work: Work; question: Question }

/** What a quest asks of a person. The answer may come after any number of restarts: the question is in the state. */
export function questAsking({ textsOf }: ParentOutside): Asking<WantedByQuest> {
  return {
    wantedBy,
    async question(run, { id, work, question }) {
      const state = questOf(run)
      const more = question.text === null ? '' : plain(await saidText(textsOf(run.id), question.text))
      const session = work.session === null ? null : (sessionNumbered(state, work.session)?.id ?? null)
      const text = cut([`${work.id}: ${question.note}`, more].filter(Boolean).join(': '), TEXT_CHARACTERS)
      const about = { id, kind: question.kind, run: run.id, agent: session, step: work.id, text }
      return ownQuestion({ ...about, project: state.spec.project, askedAt: question.askedAt })
    },
    words: (_, answer) => answerWords(answer),
    answered: (text, { work }, answer) => ({ type: 'answered', text, task: work.id, allow: answer.kind === 'allow' }),
  }
}

function wantedBy(state: RunState): WantedByQuest[] {
  if (state.kind !== 'quest' || state.spec.noQuestions || state.endedAt !== null) return []
  return allWork(state).flatMap(work => {
    const { question } = work
    return question && work.state === 'asking' ? [{ id: questionId(state.id, question.n), work, question }] : []
  })
}
