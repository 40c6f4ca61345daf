import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { homeWithGuests } from './guest.ts'
import { cancel, eventsOf, linesOf, pause, questions, resume, show, spawnRun, untilRun, untilStatus } from './runs.ts'

const guest = homeWithGuests({ client: 'either' })
const HANGING = [
  ...turns({ attempt: 1 }, bash('echo once >> done'), say('Never heard.', { fault: { kind: 'hang' } })),
  { reply: say('I remember.') },
]

test('pause ends the session for now, and resume goes on with the same one and its history [session-pause]', async () => {
  await using home = await guest(HANGING)
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(({ turn }) => turn === 1)
  expect(await home.rehoboam(['pause', run])).toMatchObject({ code: 0, out: `run ${run} is being paused\n` })
  const paused = await untilStatus(home, run, 'paused')
  expect(paused).toMatchObject({ cause: 'paused-by-user', endedAt: null })
  expect(sessionProcessesOf(home)).toEqual([])

  expect(await home.rehoboam(['resume', run, '--wait'])).toMatchObject({ code: 0 })
  const { session, turns: both, result } = await show(home, run)
  expect([session, result, both.map(turn => turn.session)]).toEqual([paused.session, 'I remember.', [session, session]])
  expectHistory(home, 'echo once >> done')
  expect(questions(home).at(-1)?.prompt).toMatch(
    /attempt=2\]\nThis run was stopped and is now resumed\. Look at the state/,
  )
  expect(linesOf(home.project, 'done')).toEqual(['once'])
})

test('what is said with resume is the next prompt [session-pause]', async () => {
  await using home = await guest(HANGING)
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(({ turn }) => turn === 1)
  await pause(home, run)
  await untilStatus(home, run, 'paused')
  await resume(home, run, 'Use the other file')
  await untilStatus(home, run, 'complete')
  expect(questions(home).at(-1)?.prompt).toBe(`[rehoboam run=${run} role=session attempt=2]\nUse the other file`)
})

test('a run that has ended goes on with its session when resumed: complete, failed, cancelled [session-pause]', async () => {
  await using home = await guest([
    { when: { prompt: 'Complete' }, reply: say('Complete.') },
    { when: { prompt: 'Fail' }, reply: { status: 400 } },
    { when: { prompt: 'Wait' }, reply: say('Never.', { fault: { kind: 'hang' } }) },
    { when: { prompt: 'Go on' }, reply: say('I remember.') },
  ])
  const runs = await Promise.all(['Complete', 'Fail', 'Wait'].map(prompt => spawnRun(home, prompt)))
  const [complete, failed, cancelled] = runs as [string, string, string]
  await untilStatus(home, complete, 'complete')
  await untilStatus(home, failed, 'failed')
  await home.model.waitFor(({ prompt }) => prompt.includes('Wait'))
  await cancel(home, cancelled)
  await untilStatus(home, cancelled, 'cancelled')

  for (const run of runs) {
    await resume(home, run, 'Go on')
    expect(await untilResumed(home, run)).toMatchObject({ cause: 'finished', result: 'I remember.' })
    expect(eventsOf(home, run, 'session-started')).toHaveLength(2)
  }
  const asked = questions(home).filter(({ prompt }) => prompt.includes('Go on'))
  for (const [n, prompt] of ['Complete', 'Fail', 'Wait'].entries())
    expect(JSON.stringify(asked[n]?.messages)).toContain(prompt)
})

test('resume is refused with a sentence where it has no meaning: an active run, a complete one without a text [session-pause]', async () => {
  await using home = await guest([
    { when: { prompt: 'Wait' }, reply: say('', { fault: { kind: 'hang' } }) },
    { reply: say('Done.') },
  ])
  const [active, complete] = [await spawnRun(home, 'Wait'), await spawnRun(home, 'Do it')]
  await untilStatus(home, complete, 'complete')
  const refused = [await home.rehoboam(['resume', active, 'Go on']), await home.rehoboam(['resume', complete])]
  expect(refused.map(({ code }) => code)).toEqual([1, 1])
  expect(refused[0]?.err).toContain(`run ${active} is active; nothing to resume`)
  expect(refused[1]?.err).toContain(`rehoboam resume ${complete} "<what to do next>"`)
  expect(eventsOf(home, complete, 'resume-requested')).toEqual([])
})

test('pause while it waits for a place, and resume, start it once [session-pause]', async () => {
  await using home = await tempHome({
    scenario: [
      { when: { prompt: 'First' }, reply: say('', { fault: { kind: 'hang', name: 'hold' } }) },
      { reply: say('Done.') },
    ],
  })
  home.env.REHOBOAM_SESSIONS_MAX = '1'
  const first = await spawnRun(home, 'First')
  await home.model.waitFor(() => true)
  const second = await spawnRun(home, 'Second')
  await pause(home, second)
  await untilStatus(home, second, 'paused')
  home.model.release('hold')
  await untilStatus(home, first, 'complete')
  expect(questions(home)).toHaveLength(1)

  await resume(home, second)
  await untilStatus(home, second, 'complete')
  expect(questions(home).at(-1)?.prompt).toBe(`[rehoboam run=${second} role=session attempt=2]\nSecond`)
})

/** Not as it stood before: the answer to a resume comes before its turn. */
function untilResumed(home: TempHome, run: string) {
  const isSo = ({ status, turns: all }: RunDetail) => status === 'complete' && all.length === 2
  return untilRun(home, run, isSo, `run ${run} to be complete again`)
}

/** The model's last question brings what was said and done before. */
function expectHistory(home: TempHome, words: string): void {
  expect(JSON.stringify(questions(home).at(-1)?.messages)).toContain(words)
}
