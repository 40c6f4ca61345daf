import { deepStrictEqual as equal } from 'node:assert/strict'
import { expect, test } from 'vitest'
import { ENDED } from '../../src/contract/run.ts'
import { sentenceOf } from '../../src/core/session/view.ts'
import { stateName, walk } from './session-walk.ts'
import { cancel, delivered, ended, pending, post, type SessionRecord } from './session-world.ts'

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

/** One paragraph per state: what each event that changes or asks for something leads to. */
function table(driver: 'headless' | 'pane'): string {
  const { states, steps } = walks[driver]
  const rows = new Map<string, Map<string, Set<string>>>()
  for (const { from, move, to, asked } of steps) {
    const [before, after] = [stateName(from), stateName(to)]
    const isMoved = before !== after || asked.length > 0
    const outcome = isMoved ? `${after}${asked.length ? ` + ${asked.join(' + ')}` : ''}` : 'stays'
    const row = rows.get(before) ?? new Map<string, Set<string>>()
    rows.set(before, row.set(move.name, (row.get(move.name) ?? new Set()).add(outcome)))
  }
  const paragraphs = [...rows]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, row]) => [name, ...lines(row)].join('\n'))
  return `${driver}: ${states.size} reachable states, ${rows.size} by name\n\n${paragraphs.join('\n\n')}\n`
}

/** Events of one name with the same outcome share a line. */
function lines(row: Map<string, Set<string>>): string[] {
  const grouped = new Map<string, string[]>()
  for (const [move, outcomes] of row) {
    if ([...outcomes].every(outcome => outcome === 'stays')) continue
    const [, name = '', rest = ''] = /^(\S+(?: result| exit)?) ?(.*)$/.exec(move) ?? []
    const key = `${name} -> ${[...outcomes].sort().join(' | ')}`
    grouped.set(key, [...(grouped.get(key) ?? []), rest])
  }
  return [...grouped].map(([key, rests]) => {
    const [name, outcome] = key.split(' -> ')
    return `  ${`${name} ${rests.filter(Boolean).join(', ')}`.trim()} -> ${outcome}`
  })
}
