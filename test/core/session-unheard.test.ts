import { expect, test } from 'vitest'
import { text } from './run-world.ts'
import * as world from './session-world.ts'
import { ended, fired, init, notStarted, play, result, resume, started, told } from './session-world.ts'

const working = [started, init]
const secondTurn = [...working, told(7), result('ok'), ended(0)]

test('a message whose turn could not start waits again, before what was said later [core-told-next-turn]', () => {
  const { record } = play(...secondTurn, notStarted('project-missing'))
  expect(record.state).toMatchObject({ status: 'paused', waiting: [text(7)] })
  const { effects } = world.post(record, resume(8))
  expect(effects[0]?.effect).toMatchObject({ resumed: { texts: [text(7), text(8)] } })
})

test('a message whose turn was killed before it said a word is in the next one too [core-told-next-turn]', () => {
  for (const death of [ended(null), ended(137)]) {
    const { record, effects } = play(...secondTurn, started, death, fired('crash-wait'))
    expect(record.state).toMatchObject({ status: 'active', turn: { n: 3 } })
    expect(effects[0]?.effect).toMatchObject({ resumed: { texts: [text(7)] } })
  }
})

test('a message that was heard is not said twice [core-told-next-turn]', () => {
  const { record } = play(...secondTurn, started, init, ended(137))
  expect(record.state.waiting).toEqual([])
})
