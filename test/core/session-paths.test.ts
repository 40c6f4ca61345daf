import { deepStrictEqual as equal } from 'node:assert/strict'
import { expect, test } from 'vitest'
import { ENDED } from '../../src/contract/run.ts'
import { sentenceOf } from '../../src/core/session/session-view.ts'
import { type Step, stateName, walk } from './session-walk.ts'
import { cancel, delivered, ended, pending, post, type SessionRecord } from './session-world.ts'
import { type NamedStep, stateTable } from './state-table.ts'

const walks = { headless: walk('headless'), pane: walk('pane') }
const steps = [...walks.headless.steps, ...walks.pane.steps]
const all = [...walks.headless.states.values(), ...walks.pane.states.values()]
console.log(`session machine: ${all.length} reachable states, ${steps.length} steps`)

test('the table of what every event does in every state is the one that was agreed on [core-state-json]', async () => {
  const both = `${table('headless')}\n\n${table('pane')}`
  await expect(both).toMatchFileSnapshot('./session-table.txt')
})

test('an ended run is left by resume alone [core-ended-stays-ended]', () => {
  const left = steps.filter(({ from, to }) => ENDED.has(from.state.status) && from.state.status !== to.state.status)
  expect(new Set(left.map(({ move, to }) => `${move.name}: ${to.state.status}`))).toEqual(
    new Set(['without a text', 'with a text', 'into a pane'].map(how => `resume-requested ${how}: active`)),
  )
})

test('an active run always waits for an outcome or a timer that will move it on [core-never-stuck]', () => {
  const stuck = all.filter(
    record =>
      record.state.status === 'active' &&
      pending(record, 'run-session').length === 0 &&
      !Object.values(record.pending).some(effect => effect.do === 'set-timer' && effect.name === 'crash-wait'),
  )
  expect(stuck.map(stateName)).toEqual([])
})

test('a run that is ended or paused waits for nothing but what its last session is still given [core-never-stuck]', () => {
  const waiting = all
    .filter(({ state }) => state.status !== 'active')
    .flatMap(record => Object.values(record.pending).map(effect => effect.do))
  expect(new Set(waiting)).toEqual(new Set(['end-session', 'type-text']))
})

test('from every state a cancel ends the run as soon as its session is gone [core-cancel-from-anywhere]', () => {
  const unended = all.filter(({ state }) => !ENDED.has(state.status)).map(record => stateName(cancelled(record)))
  expect(new Set(unended)).toEqual(new Set(['cancelled: cancelled']))
})

test('every state survives JSON [core-state-json]', () => {
  for (const record of all) equal(JSON.parse(JSON.stringify(record)), record)
})

test('every state has a sentence for a person [core-state-json]', () => {
  const sentences = new Set(all.map(({ state }) => sentenceOf(state)))
  for (const sentence of sentences) expect(sentence).toMatch(/^[a-z].{10,}[^.]$/)
  expect(sentences.size).toBeGreaterThan(15)
})

function cancelled(record: SessionRecord): SessionRecord {
  let at = post(record, cancel).record
  for (const event of [ended(143), delivered]) at = post(at, event(at)).record
  return at
}

function table(driver: 'headless' | 'pane'): string {
  const { states, steps } = walks[driver]
  return `${driver}: ${states.size} reachable states, ${stateTable(steps.map(named))}`
}

function named({ from, move, to, asked }: Step): NamedStep {
  return { from: stateName(from), move: move.name, to: stateName(to), asked }
}
