import { expect, test } from 'vitest'
import { newAgent } from '../../src/core/agent/facts.ts'
import { isStuck, listen, NO_SILENCE, type Silence } from '../../src/core/agent/silence.ts'
import { watchStuck } from '../../src/daemon/sessions/stuck-watch.ts'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { rigging } from '../daemon/rigged.ts'
import { tempHome } from '../support/temp-home.ts'
import { eventsOf, questions, spawnRun, untilStatus } from './runs.ts'

const daemons = rigging()
const SILENT = say('', { fault: { kind: 'hang' } })

test('a session that says and does nothing is ended and goes on once, with a note [session-stuck]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [...turns({ attempt: 1 }, SILENT), ...turns({ attempt: 2 }, say('I am back.'))],
  })
  const letTimePass = await daemons.hurrying(home, 'session-stuck')
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  await letTimePass()
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ result: 'I am back.' })
  expect(eventsOf(home, run, 'session-stuck')).toHaveLength(1)
  expect(questions(home).at(-1)?.prompt).toMatch(/attempt=2\]\n.*said and done nothing for a long time/)
})

test('time in which the machine slept, or its clock was set, is no silence [session-stuck]', () => {
  let [now, look, stuck] = [0, () => {}, 0]
  const clock = {
    now: () => now,
    at: (_: number, fire: () => void) => {
      look = fire
      return () => {}
    },
  }
  const silentFor = (...steps: number[]) => {
    for (const ms of steps) {
      now += ms
      look()
    }
    return stuck
  }
  const { heard } = watchStuck(
    clock,
    2_000,
    () => null,
    () => void stuck++,
    new AbortController().signal,
  )
  expect(silentFor(500, 3_600_000, -7_200_000, 500)).toBe(0)
  expect(silentFor(500)).toBe(1)
  heard()
  expect(silentFor(500, 500, 500, 500)).toBe(1)
  expect(silentFor(500, 500)).toBe(2)
})

test('the clock of a silent session stands still while somebody is asked and between turns, and has six times as long while a tool runs [session-stuck]', () => {
  const working = { ...newAgent('s', 0), heard: true, turn: { open: true, at: 0 } }
  const tool = { id: 't', name: 'Bash', words: 'npm test', at: 0, agentId: '' }
  const inTool = { ...working, tools: [tool] }
  const asking = { ...working, prompts: [{ kind: 'question' as const, words: '?', at: 0, agentId: '' }] }
  const resting = { ...working, turn: { open: false, at: 0 } }
  const after = (facts: typeof working, seconds: number, from: Silence = NO_SILENCE) =>
    Array.from({ length: seconds + 1 }).reduce<Silence>(
      silence => listen(silence, { facts, lines: 3, passedMs: 1000, now: 5000 }),
      from,
    )
  expect([599, 600].map(seconds => isStuck(after(working, seconds), working, 600_000))).toEqual([false, true])
  expect([3599, 3600].map(seconds => isStuck(after(inTool, seconds), inTool, 600_000))).toEqual([false, true])
  for (const facts of [asking, resting]) expect(after(facts, 10_000).ms).toBe(0)
  const moved = { facts: { ...working, updatedAt: 9 }, lines: 3, passedMs: 1000, now: 5000 }
  expect(listen(after(working, 500), moved).ms).toBe(0)
})
