import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CAUSES, type RunSummary } from '../../src/contract/run.ts'
import { bash, rateLimited, say, turns } from '../../src/rehearsal/replies.ts'
import { clientOf } from '../daemon/processes.ts'
import { eventsOf, linesOf, questions, show, untilInTranscript, untilRun, untilStatus } from '../session/runs.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { git, gitProject, spawnLoop } from './projects.ts'

const LOOP = ['spawn', '--loop', '--prompt', 'Go', '--allowed-tools', 'Bash', '--no-ward', '--wait']
// Only somebody with a subscription is told when a limit is over.
const SUBSCRIBED = {
  ANTHROPIC_API_KEY: undefined,
  CLAUDE_CODE_OAUTH_TOKEN: 'rehearsed',
  CLAUDE_CODE_MAX_RETRIES: '0',
}
const SILENT = say('', { fault: { kind: 'hang' } })
const CLAIM = say('All is there.\n\nDONE')

test('a client that is killed in the middle of an iteration goes on in the same one, told that it was cut off [loop-crash]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [
      ...turns({ iteration: 1, attempt: 1 }, bash('echo once >> done'), SILENT),
      ...turns({ iteration: 1, attempt: 2 }, CLAIM),
    ],
  })
  gitProject(home.project)
  const run = await spawnLoop(home, home.project, 'Go')
  await home.model.waitFor(({ turn }) => turn === 1)
  const [started] = await until(() => nonEmpty(eventsOf(home, run, 'session-started')), 'the start')
  await untilInTranscript(home, (await show(home, run)).session!, 'tool_result')
  kill(clientOf(started!.pid))
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ cause: 'stop-word', iteration: 1 })
  expect(eventsOf(home, run, 'iteration-prepared')).toHaveLength(1)
  expect(linesOf(home.project, 'done')).toEqual(['once'])
  expect(questions(home).at(-1)?.prompt).toMatch(/iteration=1 attempt=2\]\nYou were cut off in the middle/)
})

test('a loop waits for a limit of the account until the moment that the client was told, which is no iteration [loop-limit]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [{ reply: rateLimited({ resetInSeconds: 3600 }) }],
  })
  gitProject(home.project)
  const run = (await home.rehoboam(LOOP.slice(0, -1), SUBSCRIBED)).out.trim()
  // The end of the limit is known before the client has ended.
  const waiting = await untilRun(home, run, ({ sentence }) => sentence.startsWith('waits for a limit'), 'the wait')
  expect(waiting).toMatchObject({ status: 'active', iteration: 1 })
  expect(waiting.sentence).toBe(`waits for a limit of the account to end, until ${waiting.loop!.waitsUntil}`)
  expect((await home.rehoboam(['show', run])).out).toContain(waiting.loop!.waitsUntil!)
  const [limit] = eventsOf(home, run, 'session-reported').flatMap(({ report }) =>
    report.kind === 'limit' ? [report] : [],
  )
  expect(Date.parse(waiting.loop!.waitsUntil!)).toBeGreaterThan(limit!.resetsAtMs)
  expect(eventsOf(home, run, 'iteration-closed')).toEqual([])
  expect((await home.rehoboam(['cancel', run])).code).toBe(0)
  expect(await untilStatus(home, run, 'cancelled')).toMatchObject({ iteration: 1 })
})

test('a model that is down is waited for, said, and tried again by itself, and is no iteration; a client that is not logged in fails the loop, with what to type [loop-outage] [loop-logged-out]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [{ when: { turn: 0 }, reply: bash('echo once >> done'), times: 1 }, { reply: { status: 500 } }],
  })
  gitProject(home.project)
  const run = (await home.rehoboam(LOOP.slice(0, -1), { CLAUDE_CODE_MAX_RETRIES: '0' })).out.trim()
  const waiting = await untilRun(home, run, ({ sentence }) => sentence.startsWith(CAUSES.outage), 'the wait')
  expect(waiting).toMatchObject({ status: 'active', iteration: 1 })
  expect(waiting.sentence).toBe(`${CAUSES.outage}; tries again at ${waiting.loop!.waitsUntil}`)
  expect((await home.rehoboam(['logs', run])).out).toContain('the loop waits and tries again')
  // Each try that fails makes the next wait longer, so the model is back before anything else is looked at.
  home.model.says({ reply: CLAIM })
  const other = join(home.root, 'other')
  mkdirSync(other)
  gitProject(other)
  const loggedOut = await home.rehoboam([...LOOP, '--dir', other], { ANTHROPIC_API_KEY: undefined })
  expect([loggedOut.code, loggedOut.out]).toEqual([1, expect.stringMatching(/failed: nobody is logged in.*\/login/)])
  const ended = await untilStatus(home, run, 'complete')
  expect(ended).toMatchObject({ cause: 'stop-word', iteration: 1 })
  const sessions = eventsOf(home, run, 'iteration-prepared').map(({ session }) => session)
  expect(sessions.length).toBeGreaterThan(1)
  expect(new Set(sessions).size).toBe(sessions.length)
  expect(eventsOf(home, run, 'iteration-closed')).toHaveLength(1)
  expect(questions(home).at(-1)?.prompt).toContain('lost the model')
  // Two answers of a hundred and twenty tokens each, one in the first session and one in the last.
  expect(ended.costUsd).toBeCloseTo(0.0016, 6)
})

test('the code of a loop that was waited for says how it ended: 0, 3, 4, 6 [loop-exit-codes]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [
      ...turns({ prompt: 'dear' }, bash('echo 1'), bash('echo 2'), bash('echo 3'), say('More to do.')),
      ...turns({ prompt: 'asks' }, say('I cannot go on. Please tell me which one; I am waiting for your answer.')),
      ...turns({ prompt: 'slow' }, SILENT),
      ...turns({ prompt: 'idle' }, say('There is more to do.')),
      { reply: CLAIM },
    ],
  })
  const ended = async (prompt: string, ...more: string[]) => {
    const directory = join(home.root, prompt)
    mkdirSync(directory)
    gitProject(directory)
    const words = LOOP.map(word => (word === 'Go' ? prompt : word))
    const { code } = await home.rehoboam([...words, '--dir', directory, ...more])
    const runs = JSON.parse((await home.rehoboam(['runs', '--json'])).out) as RunSummary[]
    const { status, cause } = runs.find(({ project }) => project === directory)!
    return [code, status, cause]
  }
  expect(
    await Promise.all([
      ended('good'),
      ended('idle', '--stall-after', '2'),
      ended('dear', '--max-cost', '0.001'),
      ended('slow', '--max-time', '4s'),
      ended('asks'),
    ]),
  ).toEqual([
    [0, 'complete', 'stop-word'],
    [3, 'stalled', 'ledger-unmoved'],
    [4, 'over-budget', 'max-cost'],
    [4, 'over-budget', 'max-time'],
    [6, 'paused', 'waits-for-person'],
  ])
})

test('pause, resume, reject and cancel work in the middle of an iteration, with codes 6 and 5; what was half done is kept [loop-interrupted] [loop-end-kept]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [
      ...turns({ iteration: 1, attempt: 1 }, bash('echo once >> done'), SILENT),
      ...turns({ iteration: 1, attempt: 2 }, say('More to do.')),
      ...turns({ iteration: 2 }, say('More to do.', { fault: { kind: 'hang', name: 'two' } })),
      ...turns({ iteration: 3 }, bash('echo half > left'), SILENT),
    ],
  })
  gitProject(home.project)
  const waited = home.start(LOOP)
  await home.model.waitFor(({ turn }) => turn === 1)
  const [run = ''] = home.runs()
  await home.rehoboam(['pause', run])
  const paused = await waited.ended
  expect([paused.code, paused.out]).toEqual([6, expect.stringContaining('paused: somebody paused it')])
  const before = await show(home, run)
  expect(before).toMatchObject({ status: 'paused', cause: 'paused-by-user', iteration: 1 })
  // One answer of a hundred and twenty tokens, in a turn that never came to its result.
  expect(before.costUsd).toBeCloseTo(0.0008, 6)

  const again = home.start(['resume', run, '--wait'])
  await home.model.waitFor(({ line }) => line.iteration === '2')
  const { loop } = await show(home, run)
  expect(loop!.iterations[0]!.session).toBe(before.loop!.iterations[0]!.session)
  expect(linesOf(home.project, 'done')).toEqual(['once'])
  await home.rehoboam(['reject', run])
  home.model.release('two')
  expect((await again.ended).code).toBe(5)
  const rejected = await show(home, run)
  expect(rejected).toMatchObject({ status: 'cancelled', cause: 'rejected', iteration: 2 })
  expect(rejected.costUsd).toBeCloseTo(0.0024, 6)

  const once = home.start(['resume', run, '--wait'])
  await home.model.waitFor(({ line, turn }) => line.iteration === '3' && turn === 1)
  await home.rehoboam(['cancel', run])
  expect((await once.ended).code).toBe(5)
  expect(await show(home, run)).toMatchObject({ status: 'cancelled', cause: 'cancelled', iteration: 3 })
  expect(git(home.project, 'show', `refs/rehoboam/${run}/3:left`)).toBe('half\n')
})

function nonEmpty<T>(list: T[]): T[] | null {
  return list.length ? list : null
}
