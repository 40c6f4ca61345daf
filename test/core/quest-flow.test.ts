import { describe, expect, test } from 'vitest'
import { type Signal, sessionNamed } from '../../src/core/quest/quest-state.ts'
import { limitedUntil } from '../../src/core/run/limited-until.ts'
import {
  asks,
  created,
  ended,
  part,
  play,
  playQuest,
  post,
  type QuestRecord,
  roleChange,
  roleEnd,
  step,
  to,
} from './quest-world.ts'
import { text } from './run-world.ts'

const ONE = { plans: [{ steps: [step('a')] }] }
const FIRST = ['ward base green', 'chaoswhisperer requirements', 'pathseeker plan']
const LAST = ['lawbringer review', 'ward review green']
/** Sessions that are at work: key of the effect, and number. */
const roles = ({ pending, state }: QuestRecord) =>
  Object.entries(pending).flatMap(([key, effect]) =>
    effect.do === 'run-child' ? [[key, sessionNamed(state, effect.child).n] as const] : [],
  )
/** What happens between the plan and the review. */
const between = (log: string[]) => log.slice(FIRST.length, log.indexOf('lawbringer review'))

describe('the flow of a quest [quest-flow]', () => {
  test('one step goes through requirements, plan, code, ward, siege, merge, review and the ward on the whole', () => {
    const { record, log } = playQuest({}, ONE)
    expect(log).toEqual([...FIRST, 'codeweaver a', 'ward a green', 'siegemaster a', 'merge a merged', ...LAST])
    expect(record.state).toMatchObject({ status: 'complete', cause: 'merged', proven: true })
  })

  test('without checks it is complete and unproven', () => {
    const { record, log } = playQuest({ ward: null }, ONE)
    expect(log.filter(line => line.startsWith('ward'))).toEqual([])
    expect(record.state).toMatchObject({ status: 'complete', proven: false })
  })

  test('a red ward is mended by the Spiritmender and checked again', () => {
    const { log } = playQuest({}, { ...ONE, wards: { a: ['red', 'green'] } })
    expect(between(log)).toEqual([
      'codeweaver a',
      'ward a red',
      'spiritmender a',
      'ward a green',
      'siegemaster a',
      'merge a merged',
    ])
  })

  test('after three reds in a row the step is planned anew, and after three more a person is asked [quest-resplit]', () => {
    const { record, log } = playQuest({}, { ...ONE, wards: { a: Array(6).fill('red') } })
    expect(log.filter(line => line.startsWith('pathseeker'))).toHaveLength(2)
    expect(log.filter(line => line === 'ward a red')).toHaveLength(6)
    expect(record.state).toMatchObject({ status: 'blocked', cause: 'waits-for-person' })
    expect(record.state.steps[0]).toMatchObject({ state: 'asking', question: { kind: 'ward' } })
  })

  test('gaps go to the Codeweaver, then ward, then the same Siegemaster, or a fresh one', () => {
    for (const resume of [true, false]) {
      const { log } = playQuest({}, { ...ONE, says: { 'siegemaster a': [to('codeweaver', resume)] } })
      expect(between(log)).toEqual([
        ...['codeweaver a', 'ward a green', 'siegemaster a', 'codeweaver a', 'ward a green'],
        ...[`siegemaster a${resume ? ' resumed' : ''}`, 'merge a merged'],
      ])
    }
  })

  test('what the review found is mended, merged, and reviewed again; the fourth round is for a person', () => {
    const { log } = playQuest({}, { ...ONE, says: { 'lawbringer review': [to('spiritmender', true)] } })
    const review = log.slice(log.indexOf('lawbringer review'))
    expect(review).toEqual([
      ...['lawbringer review', 'spiritmender review', 'merge review merged', 'lawbringer review resumed'],
      'ward review green',
    ])
    const often = playQuest({}, { ...ONE, says: { 'lawbringer review': Array(4).fill(to('spiritmender', false)) } })
    expect(often.log.filter(line => line === 'spiritmender review')).toHaveLength(3)
    expect(often.record.state).toMatchObject({ status: 'blocked' })
  })

  test('a conflict is resolved once by us and then by a person; a red merge goes to the Spiritmender', () => {
    const merges = { a: [{ result: 'red' as const }, { result: 'conflict' as const }, { result: 'conflict' as const }] }
    const { record, log } = playQuest({}, { ...ONE, merges })
    expect(log.slice(FIRST.length + 3)).toEqual([
      ...['merge a red', 'spiritmender a', 'ward a green', 'merge a conflict', 'spiritmender a', 'ward a green'],
      'merge a conflict',
    ])
    expect(record.state).toMatchObject({ status: 'blocked', cause: 'conflict' })
  })

  test('a step is partially complete at most five times in a row', () => {
    const five = playQuest({}, { ...ONE, says: { 'codeweaver a': Array(5).fill(part) } })
    expect(five.record.state.status).toBe('complete')
    expect(five.log.filter(line => line === 'codeweaver a')).toHaveLength(6)
    const six = playQuest({}, { ...ONE, says: { 'codeweaver a': Array(6).fill(part) } })
    expect(six.record.state.steps[0]).toMatchObject({ state: 'asking', question: { kind: 'stall' } })
  })

  test('the answer to a question resumes the same session, and others never stopped meanwhile', () => {
    const plans = [{ steps: [step('a'), step('b')] }]
    const { record, log } = playQuest({}, { plans, says: { 'codeweaver a': [asks] }, answers: true })
    expect(record.state.status).toBe('complete')
    expect(log.indexOf('merge b merged')).toBeLessThan(log.indexOf('answered a question'))
    expect(log).toContain('codeweaver a resumed')
    expect(record.state.children.filter(({ step: id, role }) => id === 'a' && role === 'codeweaver')).toHaveLength(1)
  })

  test('a follow-up with resume goes back to its caller, without it on to the next phase', () => {
    const says = { 'codeweaver a': [to('lawbringer', true), to('spiritmender', false)] }
    const { log } = playQuest({}, { ...ONE, says })
    expect(between(log)).toEqual([
      ...['codeweaver a', 'lawbringer a', 'codeweaver a resumed', 'spiritmender a', 'ward a green', 'siegemaster a'],
      'merge a merged',
    ])
  })

  test('two roles that bounce a step between them three times are a question', () => {
    const { record } = playQuest({}, { ...ONE, says: { 'siegemaster a': Array(3).fill(to('codeweaver', true)) } })
    expect(record.state.steps[0]).toMatchObject({ state: 'asking', question: { kind: 'stall' } })
  })

  test('a plan waits for approval where that is wanted, and can be sent back', () => {
    const waiting = playQuest({ approvePlan: true }, ONE)
    expect(waiting.record.state).toMatchObject({ status: 'blocked', phase: 'approval' })
    expect(waiting.log).toEqual(FIRST)
    expect(playQuest({ approvePlan: true }, { ...ONE, answers: true }).record.state.status).toBe('complete')
  })

  test('a limit of the account is waited for and not counted; a session that was cut off gets one fresh start', () => {
    const limited = { 'codeweaver a': Array(5).fill({ ends: { cause: 'limit' } }) }
    const { record, log } = playQuest({}, { ...ONE, says: limited })
    expect(record.state.status).toBe('complete')
    expect(log).toContain('codeweaver a resumed')
    const cut = { 'codeweaver a': Array(2).fill({ ends: { cause: 'crashed' } }) }
    const crashed = playQuest({}, { ...ONE, says: cut }).record.state
    expect(crashed.steps[0]).toMatchObject({ state: 'asking', attempts: 2, question: { kind: 'crash' } })
    const stuck = playQuest({}, { ...ONE, says: { 'codeweaver a': [{ ends: { cause: 'stuck' } }] } }).record.state
    expect(stuck.steps[0]).toMatchObject({ state: 'asking', question: { kind: 'stall' } })
  })

  test('an error of the model during a limit leaves it a limit; whoever resumes the quest tries again [account-limit]', () => {
    const atWork = (seen: QuestRecord) => roles(seen).length === 2
    const { record } = play(post(null, created()).record, { plans: [{ steps: [step('a'), step('b')] }] }, 100, atWork)
    const [[first], [second]] = roles(record) as [[string, number], [string, number]]
    const fails = (effect: string, cause: 'limit' | 'api-error', limitResetsAt: number | null) => {
      const n = roles(record).find(([key]) => key === effect)![1]
      return roleEnd(effect, n, ended({ status: 'failed', cause, limitResetsAt }))
    }
    const limited = post(record, fails(first, 'limit', record.at + 3_600_000)).record
    const both = post(limited, fails(second, 'api-error', null)).record
    const until = record.at + 3_605_000
    expect([both.state.limit, limitedUntil(both.state)]).toEqual([{ untilMs: until, waits: 2, isError: false }, until])
    const longer = post(post(record, fails(first, 'limit', record.at + 2_000)).record, fails(second, 'api-error', null))
    expect(longer.record.state.limit.isError).toBe(true)

    const paused = post(both, { type: 'pause-requested' }).record
    expect(limitedUntil(paused.state)).toBeNull()
    const again = post(paused, { type: 'resume-requested', text: null, environment: both.state.environment })
    expect(again.record.state).toMatchObject({ status: 'active', limit: { untilMs: null, waits: 0 } })
    expect(again.effects.map(({ effect }) => effect.do)).toEqual(['run-child', 'run-child'])
  })

  test('a quest that is cancelled while it waits for a limit waits for none any more [account-limit]', () => {
    const atWork = (seen: QuestRecord) => roles(seen).length === 1
    const { record } = play(post(null, created()).record, {}, 100, atWork)
    const [[effect, n]] = roles(record) as [[string, number]]
    const limited = post(
      record,
      roleEnd(effect, n, ended({ status: 'failed', cause: 'limit', limitResetsAt: record.at + 3_600_000 })),
    ).record
    expect(limitedUntil(limited.state)).not.toBeNull()
    const cancelled = post(limited, { type: 'cancel-requested' }).record
    expect(cancelled.state.status).toBe('cancelled')
    expect(limitedUntil(cancelled.state)).toBeNull()
  })

  test('a quest that its user paused is not woken by a session that goes on [quest-by-hand]', () => {
    const far = (seen: QuestRecord) => roles(seen).length === 1
    const { record } = play(post(null, created()).record, {}, 100, far)
    const paused = post(record, { type: 'pause-requested' }).record
    const [[effect, n]] = roles(paused) as [[string, number]]
    const woken = post(paused, roleChange(effect, n, { status: 'active', cause: null }))
    expect(woken.record.state).toMatchObject({ status: 'paused', cause: 'paused-by-user' })
  })

  test('with no questions wanted it is paused instead of asking', () => {
    const { record } = playQuest({ noQuestions: true }, { ...ONE, says: { 'codeweaver a': [asks] } })
    expect(record.state).toMatchObject({ status: 'paused', cause: 'question' })
  })

  test('what costs more than it may ends over budget', () => {
    const { record } = playQuest({ maxCostUsd: 1.2 }, ONE)
    expect(record.state).toMatchObject({ status: 'over-budget', cause: 'max-cost' })
  })

  test('a slot is free when its process is gone, and a follow-up has that of its caller', () => {
    const plans = [{ steps: [step('a'), step('b'), step('c')] }]
    const far = (seen: QuestRecord) => seen.state.children.length === 3
    const { record } = play(post(null, created({ slots: 1 })).record, { plans }, 100, far)
    const effect = Object.keys(record.pending).find(key => record.pending[key]!.do === 'run-child')!
    const gone = roleChange(effect, 3, ended())
    const says = (signal: Signal) => post(post(record, { type: 'signalled', n: 3, ...signal }).record, gone).record
    const done = says({ signal: 'complete', text: text(9), target: null, resume: false })
    expect(done.state.children.map(({ step: id, slot }) => [id, slot]).slice(2)).toEqual([
      ['a', null],
      ['b', 1],
    ])
    const asking = says({ signal: 'needs-role-followup', text: text(9), target: 'spiritmender', resume: true })
    expect(asking.state.children).toHaveLength(3)
    const followed = post(asking, roleEnd(effect, 3)).record.state.children[3]
    expect(followed).toMatchObject({ step: 'a', role: 'spiritmender', slot: 1 })
  })
})
