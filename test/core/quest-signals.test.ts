import { expect, test } from 'vitest'
import { STEP_STATES, type StepState } from '../../src/contract/quest.ts'
import { FOLLOW_UP_ROLES, QUEST_ROLES, SIGNAL_KINDS } from '../../src/contract/quest-tools.ts'
import { type QuestRun, type Work, withSession, withWork, workOf } from '../../src/core/quest/quest-state.ts'
import { hear, type Said } from '../../src/core/quest/signals.ts'
import type { RunRecord } from '../../src/core/run/advance.ts'
import { created, ended, play, post, roleEnd, step } from './quest-world.ts'
import { commitOf, text } from './run-world.ts'

type QuestRecord = RunRecord<QuestRun>

// Where each role works in the flow; a follow-up brings every other role into a step.
const PLACES = { chaoswhisperer: 'requirements', pathseeker: 'plan', lawbringer: 'review' } as const
const PHASES = { pathseeker: 'plan', codeweaver: 'code', siegemaster: 'siege', lawbringer: 'review', spiritmender: 'mend', chaoswhisperer: 'code' } as const // biome-ignore format: one line

test('every signal of every role in every state of a step is taken, with its next state, or refused with a reason [quest-signal-table]', async () => {
  const lines = QUEST_ROLES.flatMap(role => [
    ...(role in PLACES ? table(role, PLACES[role as keyof typeof PLACES], ['working']) : []),
    ...table(role, 'a', STEP_STATES),
  ])
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./quest-signals.txt')
})

test('a signal for another step, a second one, the same one again and one after the end are told apart [quest-signal-table]', () => {
  const record = at('codeweaver', 'a', 'working')
  const said: Said = { signal: 'complete', stepId: 'a', text: text(9), target: null, resume: false }
  expect(hear(record.state, 1, { ...said, stepId: 'b' })).toMatchObject({ is: 'refused', why: expect.stringMatching(/you work on a, not on b/) }) // biome-ignore format: one line
  const heard = post(record, {
    type: 'signalled',
    n: 1,
    signal: 'complete',
    text: text(9),
    target: null,
    resume: false,
  })
  expect(hear(heard.record.state, 1, said)).toEqual({ is: 'again' })
  expect(hear(heard.record.state, 1, { ...said, text: text(10) })).toMatchObject({ is: 'refused', why: expect.stringMatching(/signalled complete already/) }) // biome-ignore format: one line
  const over = withSession(record.state, 1, { isLive: false })
  expect(hear(over, 1, said)).toMatchObject({ is: 'refused', why: expect.stringMatching(/has ended/) })
  expect(hear(record.state, 99, said)).toMatchObject({ is: 'refused' })
})

test('a chain of follow-ups is at most five deep [quest-signal-table]', () => {
  const record = at('codeweaver', 'a', 'working')
  const caller = { role: 'siegemaster', session: 1, resume: true, phase: 'siege' as const, isMending: false }
  const deep = withWork(record.state, 'a', { chain: Array.from({ length: 5 }, () => caller) })
  const said: Said = { signal: 'needs-role-followup', stepId: 'a', text: text(9), target: 'spiritmender', resume: true }
  expect(hear(deep, 1, said)).toMatchObject({ is: 'refused', why: expect.stringMatching(/5 roles wait/) })
  expect(hear(withWork(deep, 'a', { chain: [] }), 1, said)).toEqual({ is: 'new' })
})

function table(role: string, place: string, states: readonly StepState[]): string[] {
  return states.flatMap(state => {
    const record = at(role, place, state)
    return sayings(place, state).map(said => {
      const words =
        said.target === null ? said.signal : `${said.signal} ${said.target} ${said.resume ? 'resume' : 'go on'}`
      return `${role} on ${place}, ${state}: ${words} -> ${outcome(record, said)}`
    })
  })
}

/** In a state in which nothing is taken, one follow-up stands for all. */
function sayings(stepId: string, state: StepState): Said[] {
  const plain = { stepId, text: text(9), target: null, resume: false }
  const targets = state === 'working' ? FOLLOW_UP_ROLES : FOLLOW_UP_ROLES.slice(0, 1)
  return SIGNAL_KINDS.flatMap((signal): Said[] => {
    if (signal !== 'needs-role-followup') return [{ ...plain, signal }]
    return targets.flatMap(target => [true, false].map(resume => ({ ...plain, signal, target, resume })))
  })
}

/** The session that it needs has ended by then: what the quest makes of it. */
function outcome(record: QuestRecord, said: Said): string {
  const hearing = hear(record.state, 1, said)
  if (hearing.is !== 'new') return hearing.is === 'refused' ? `refused: ${hearing.why}` : hearing.is
  const { signal, target, resume } = said
  const heard = post(record, { type: 'signalled', n: 1, signal, text: said.text, target, resume }).record
  const [effect] = Object.keys(heard.pending)
  const next = post(heard, roleEnd(effect!, 1, ended({ commit: commitOf(1) })))
  const work = workOf(next.record.state, said.stepId)!
  return where(work, next.record.state)
}

function where(work: Work, state: QuestRun): string {
  const session = state.children[(work.session ?? 1) - 1]
  const who = work.state === 'working' ? ` ${session!.role}${session!.n === 1 ? ' again' : ''}` : ''
  const chain = work.chain.map(({ role, resume }) => `${role}${resume ? '' : ' (gone)'}`).join(', ')
  return `${work.state} ${work.phase}${who}${chain ? `, for ${chain}` : ''}${work.question ? `, ${work.question.kind}` : ''}`
}

/** A quest in which session 1 is of this role, at work on this, which is in this state. */
function at(role: string, place: string, state: StepState): QuestRecord {
  const plan = { plans: [{ steps: [step('a')] }] }
  const first = post(null, created({ slots: 1 })).record
  // Far enough that the work is there and its first session has just been started.
  const begun = play(first, plan, 5_000, record => workOf(record.state, place)?.state === 'working')
  const key = Object.keys(begun.record.pending).find(one => begun.record.pending[one]!.do === 'run-child')!
  const effect = begun.record.pending[key]!
  const own = { ...begun.record.state.children.at(-1)!, n: 1, name: 's1', role, step: place }
  const phase = place === 'a' ? PHASES[role as keyof typeof PHASES] : (place as Work['phase'])
  const quest = withWork({ ...begun.record.state, children: [own] }, place, { state, session: 1, phase })
  return { ...begun.record, state: quest, pending: { [key]: { ...effect, child: 's1' } as never } }
}
