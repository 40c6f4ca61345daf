import { CAUSES } from '../../contract/run.ts'
import { oneLine } from '../../core/plain.ts'
import type { PoolRun } from '../../core/pool/state.ts'
import type { Asked, Inbox } from '../inbox/inbox.ts'
import { answerWords, ownQuestion } from '../inbox/own-question.ts'
import { sessionIdOf } from '../loops/loop-outside.ts'
import type { Run } from '../runtime/run.ts'
import { type PoolOutside, poolOf } from './pool-outside.ts'

const TEXT_CHARACTERS = 1_500

type Wanted = { id: string; task: string | null; kind: Asked['kind']; text: string }

/** What a pool asks of a person: a conflict that its worker could not resolve, checks that cannot be run. */
export class PoolQuestions {
  readonly #outside: PoolOutside
  readonly #inbox: Inbox
  /** The open questions of each run, by id. */
  readonly #open = new Map<string, Set<string>>()

  constructor(outside: PoolOutside, inbox: Inbox) {
    this.#outside = outside
    this.#inbox = inbox
  }

  /** After every event of a run. */
  look(run: Run): void {
    const state = poolOf(run)
    const open = this.#open.get(run.id) ?? new Set()
    this.#open.set(run.id, open)
    const wanted = wantedBy(state)
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

  async #ask(run: Run, { id, task, kind, text }: Wanted): Promise<void> {
    const state = poolOf(run)
    const texts = this.#outside.textsOf(run.id)
    const ref = state.notes.at(-1)
    const more = ref ? oneLine(await texts.get(ref).catch(() => ''), TEXT_CHARACTERS) : ''
    if (!this.#open.get(run.id)?.has(id)) return
    const question = ownQuestion({
      id,
      kind,
      run: run.id,
      agent: null,
      step: task,
      text: more ? `${text}: ${more}` : text,
      project: state.spec.project,
      askedAt: run.record.at,
    })
    const answer = await this.#inbox.ask(question)
    if (!answer || !this.#open.get(run.id)?.delete(id)) return
    const said = await texts.put(answerWords(answer))
    await this.#outside.postSurely(run, ({ state: now }) => {
      if (now.kind !== 'pool' || !wantedBy(now).some(question => question.id === id)) return null
      return { type: 'answered', text: said, ...(task !== null && { task, drop: answer.kind === 'deny' }) }
    })
  }
}

/** The same ids across restarts: a person and a script may know them. */
function wantedBy(state: PoolRun): Wanted[] {
  if (state.spec.noQuestions || state.endedAt !== null) return []
  const stuck = state.tasks.filter(task => task.state === 'stuck')
  const conflicts = stuck.map(
    ({ id, conflicts }): Wanted => ({
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
