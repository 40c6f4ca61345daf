import { CAUSES } from '../../contract/run.ts'
import { oneLine } from '../../core/plain-text.ts'
import type { RunState } from '../../core/run/run-state.ts'
import type { Asked } from '../inbox/inbox.ts'
import { answerWords, ownQuestion } from '../inbox/own-question.ts'
import type { Asking } from '../inbox/run-questions.ts'
import type { ParentOutside } from '../parent/parent-outside.ts'
import { poolOf } from '../runtime/run-kinds.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'

const TEXT_CHARACTERS = 1_500

export type WantedByPool = { id: string; task: string | null; kind: Asked['kind']; text: string }

/** What a pool asks of a person: a conflict that its worker could not resolve, checks that cannot be run. */
export function poolAsking({ textsOf }: ParentOutside): Asking<WantedByPool> {
  return {
    wantedBy,
    async question(run, { id, task, kind, text }) {
      const { notes, spec } = poolOf(run)
      const askedAt = run.record.at
      const ref = notes.at(-1)
      const more = ref
        ? oneLine(
            await textsOf(run.id)
              .get(ref)
              .catch(() => ''),
            TEXT_CHARACTERS,
          )
        : ''
      const words = more ? `${text}: ${more}` : text
      const about = { id, kind, run: run.id, agent: null, step: task, text: words }
      return ownQuestion({ ...about, project: spec.project, askedAt })
    },
    words: (_, answer) => answerWords(answer),
    answered: (text, { task }, answer) => ({
      type: 'answered',
      text,
      ...(task !== null && { task, drop: answer.kind === 'deny' }),
    }),
  }
}

function wantedBy(state: RunState): WantedByPool[] {
  if (state.kind !== 'pool' || state.spec.noQuestions || state.endedAt !== null) return []
  const stuck = state.tasks.filter(task => task.state === 'stuck')
  const conflicts = stuck.map(
    ({ id, conflicts }): WantedByPool => ({
      id: sessionIdOf(`question ${state.id} ${id} ${conflicts}`),
      task: id,
      kind: 'conflict',
      text: `task ${id}: ${CAUSES.conflict}; an answer goes to its worker, deny leaves the task out`,
    }),
  )
  if (state.status !== 'blocked' || state.cause !== 'ward-could-not-run') return conflicts
  const text = CAUSES['ward-could-not-run']
  return [...conflicts, { id: sessionIdOf(`question ${state.id} ${state.blocks}`), task: null, kind: 'ward', text }]
}
