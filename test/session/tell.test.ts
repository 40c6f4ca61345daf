import { expect, test } from 'vitest'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { homeWithGuests } from './guest.ts'
import { eventsOf, pause, questions, resume, show, spawnRun, tell, untilStatus } from './runs.ts'

const guest = homeWithGuests({ client: 'either' })
const HANGING = [...turns({ attempt: 1 }, say('First.', { fault: { kind: 'hang' } })), { reply: say('Heard.') }]

test('what a running session is told is its next prompt, in the same session [session-tell]', async () => {
  await using home = await guest(HANGING)
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  const told = [
    await home.rehoboam(['tell', run, 'The server is up']),
    await home.rehoboam(['tell', run, 'Use port 80', '--json']),
  ]
  expect(told[0]).toMatchObject({ code: 0, out: `run ${run} will be told at its next turn\n` })
  expect(JSON.parse(told[1]!.out)).toMatchObject({ id: run, status: 'active' })
  expect(await show(home, run)).toMatchObject({ messagesWaiting: 2 })

  home.model.release()
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ result: 'Heard.', messagesWaiting: 0 })
  const [first, second] = questions(home)
  expect(second?.prompt).toBe(`[rehoboam run=${run} role=session attempt=2]\nThe server is up\n\nUse port 80`)
  expect(second?.session).toBe(first?.session)
  expect(JSON.stringify(second?.messages)).toContain('First.')
  expect(eventsOf(home, run, 'session-started')).toHaveLength(2)
})

test('what a paused run is told waits until it is resumed [session-tell]', async () => {
  await using home = await guest(HANGING)
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  await pause(home, run)
  await untilStatus(home, run, 'paused')
  await tell(home, run, 'Use port 80')
  expect(questions(home)).toHaveLength(1)
  expect(await show(home, run)).toMatchObject({ status: 'paused', messagesWaiting: 1 })

  await resume(home, run, 'Go on')
  await untilStatus(home, run, 'complete')
  expect(questions(home).at(-1)?.prompt).toMatch(/\nUse port 80\n\nGo on$/)
})

test('a run that has ended cannot be told, and the sentence says what can be done [cli-ended-run]', async () => {
  await using home = await guest([{ reply: say('Done.') }])
  const run = await spawnRun(home, 'Do it')
  await untilStatus(home, run, 'complete')
  const ended = await home.rehoboam(['tell', run, 'More'])
  expect([ended.code, ended.err]).toEqual([
    1,
    `rehoboam: run ${run} has ended (complete); rehoboam resume ${run} "<text>" goes on with its session\n`,
  ])
})
