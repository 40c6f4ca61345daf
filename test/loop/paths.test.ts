import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RunEvent } from '../../src/contract/event.ts'
import { stateTable } from '../core/state-table.ts'
import { DOC, redrawn } from './loop-states-doc.ts'
import { stateName, walkLoops } from './loop-walk.ts'
import { post } from './loop-world.ts'

const { states, steps } = walkLoops()
const all = [...states.values()]
console.log(`loop machine: ${states.size} reachable states, ${steps.length} steps`)

test('the table of what every event does in every state of a loop is the one that was agreed on [loop-state-table]', async () => {
  const table = stateTable(
    steps.map(({ from, move, to, asked }) => ({
      from: stateName(from.state),
      move: move.name,
      to: stateName(to.state),
      asked,
    })),
  )
  await expect(`${states.size} reachable states, ${table}`).toMatchFileSnapshot('./loop-table.txt')
})

test('docs/loops.md has the table of the states that the machine goes through [loop-states-drawn]', () => {
  const document = readFileSync(DOC, 'utf8')
  const anew = 'the states have changed; write them anew: node test/loop/write-loop-states.ts'
  expect(document, anew).toBe(redrawn(document, steps))
})

test('every active state of a loop waits for an outcome or a timer [core-never-hangs]', () => {
  const hung = all.filter(({ state, pending }) => state.status === 'active' && Object.keys(pending).length === 0)
  expect(hung.map(({ state }) => stateName(state))).toEqual([])
})

test('a late event of a stopped session neither moves a resting loop nor asks its question again [loop-late-session]', () => {
  const resting = all.filter(({ state }) => state.doing.is === 'resting')
  for (const record of resting) {
    const deliveries = Object.entries(record.pending).filter(([, effect]) => effect.do === 'end-session')
    const late = deliveries.map(([effect]): RunEvent => ({ type: 'session-end-delivered', effect, left: null }))
    for (const event of [...late, { type: 'question-asked', text: 'f'.repeat(64) } as const]) {
      const { status, cause, doing, blocks } = post(record, event).record.state
      const before = record.state
      expect([status, cause, doing, blocks]).toEqual([before.status, before.cause, before.doing, before.blocks])
    }
  }
})
