import type { KeptEnvironment } from '../../contract/event.ts'
import { isChild } from '../../contract/ids.ts'
import { CAUSES, type Cause } from '../../contract/run.ts'
import { SURROUNDINGS } from '../../core/causes-around.ts'
import { type RunState, sessionOf } from '../../core/run/run-state.ts'
import { sessionIdOf } from '../runtime/stable-id.ts'
import { ownQuestion } from './own-question.ts'
import type { Asking } from './run-questions.ts'

type Wanted = { id: string; cause: Cause; when: string; environment: KeptEnvironment }

/**
 * A session or a loop that what is around it has paused: nobody at a screen has done that, so somebody has to be told. Asked
 * until it goes on or ends, by whatever way.
 */
export const pausedAsking: Asking<Wanted> = {
  wantedBy,
  async question({ id: run, record }, { id, cause, when }) {
    const { state, at } = record
    const about = cause === 'project-missing' ? state.spec.project : sessionOf(state)?.missing.join(', ')
    // An answer brings no credentials.
    const way = cause === 'needs-environment' ? '' : ' (allow does the same)'
    const text = `paused: ${CAUSES[cause]}${about ? `: ${about}` : ''}; ${when}, rehoboam resume ${run} goes on${way}, deny cancels it`
    const agent = sessionOf(state)?.spec.session ?? null
    return ownQuestion({
      id,
      kind: 'environment',
      run,
      agent,
      step: null,
      text,
      project: state.spec.project,
      askedAt: at,
    })
  },
  words: (_, answer) => (answer.kind === 'text' ? answer.text : ''),
  answered(text, { environment }, { kind }) {
    if (kind === 'deny') return { type: 'cancel-requested' }
    return { type: 'resume-requested', text: kind === 'text' ? text : null, environment }
  },
}

/** A pool and a quest rest when all of their sessions do. */
function wantedBy(state: RunState): Wanted[] {
  const { id, status, cause, environment, spec } = state
  if (status !== 'paused' || cause === null || spec.noQuestions || isChild(id)) return []
  const when = SURROUNDINGS[cause]
  if (when === undefined || (state.kind !== 'session' && state.kind !== 'loop')) return []
  // Another number each time: an answer to the last one must not be taken for one to this.
  const times = state.kind === 'loop' ? state.blocks : state.turn.n
  return [{ id: sessionIdOf(`paused ${id} ${times}`), cause, when, environment }]
}
