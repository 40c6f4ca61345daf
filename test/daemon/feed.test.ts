import { afterAll, beforeAll, expect, test } from 'vitest'
import { textOf } from '../../src/client/socket.ts'
import type { FeedItem } from '../../src/contract/feed.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { resume, spawnRun, untilRun, untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { isEnd, nameOf, openFeed, readFeed } from './feed-reader.ts'
import { killDaemon } from './processes.ts'

const WORK = [
  ...turns({ prompt: 'Live' }, { ...bash('echo one'), fault: { kind: 'hang' } }, say('Done.')),
  ...turns({}, bash('echo one'), bash('echo two'), say('Done.')),
]

/** One ended run for all who only ask about it. */
let home: TempHome
let run: string
beforeAll(async () => {
  home = await tempHome({ scenario: WORK })
  run = await spawnRun(home, 'Do it')
  await untilStatus(home, run, 'complete')
  await resume(home, run, 'And again')
  await untilRun(home, run, ({ turns: [, second] }) => second?.state === 'ended', 'the second turn to end')
  await untilStatus(home, run, 'complete')
})
afterAll(() => home[Symbol.asyncDispose]())

test('a feed resumed after any of its cursors gives exactly what comes after it [feed-resume]', async () => {
  const all = await readFeed(home, run, null, isEndOf(2))
  expect(new Set(all.map(nameOf)).size).toBe(all.length)
  expect(all.flatMap(item => ('event' in item ? [item.event.seq] : []))).toEqual(
    home.journal(run).map(({ seq }) => seq),
  )

  const resumed = await Promise.all(all.slice(0, -1).map(({ cursor }) => readFeed(home, run, cursor, isEndOf(2))))
  expect(resumed.map(items => items.map(nameOf))).toEqual(all.slice(0, -1).map((_, n) => all.slice(n + 1).map(nameOf)))
})

test('a feed that was cut by kills of the daemon and resumed has everything once [feed-resume]', async () => {
  await using home = await tempHome({
    scenario: turns(
      {},
      { ...bash('echo one'), fault: { kind: 'hang', name: 'a' } },
      { ...bash('echo two'), fault: { kind: 'hang', name: 'b' } },
      say('Done.', { fault: { kind: 'hang', name: 'c' } }),
    ),
  })
  const run = await spawnRun(home, 'Do it')
  const parts: FeedItem[][] = []
  for (const gate of ['a', 'b', 'c']) {
    await home.model.waitFor(({ turn }) => turn === gate.charCodeAt(0) - 97)
    const after = parts.flat().at(-1)?.cursor ?? null
    // A reader that is thrown out in the middle: by the kill, with nothing lost, whatever it had seen by then.
    const reading = readFeed(home, run, after, isEnd)
    if (gate !== 'c') await killDaemon(home)
    home.model.release(gate)
    parts.push(await reading)
  }
  const whole = await readFeed(home, run, null, isEnd)
  expect(parts.flat().map(nameOf).sort()).toEqual(whole.map(nameOf).sort())
  expect(parts.length).toBe(3)
})

test('those who follow live see what those who come later see [feed-resume]', async () => {
  const run = await spawnRun(home, 'Live')
  await home.model.waitFor(({ prompt }) => prompt.includes('Live'))
  const live = [readFeed(home, run, null, isEnd), readFeed(home, run, null, isEnd)]
  home.model.release()
  const [one = [], two = []] = await Promise.all(live)
  const later = await readFeed(home, run, null, isEnd)
  expect(one.map(nameOf).sort()).toEqual(later.map(nameOf).sort())
  expect(two.map(nameOf).sort()).toEqual(later.map(nameOf).sort())
  // Output stands before the event that was made from it.
  const names = later.map(nameOf)
  const reported = home
    .journal(run)
    .flatMap(event => (event.type === 'session-reported' ? [{ seq: event.seq, at: event.report.offset }] : []))
  for (const { seq, at } of reported) expect(names.indexOf(`output 1 at ${at}`)).toBe(names.indexOf(`event ${seq}`) - 1)
})

test.each(['', 'x', '1', '1.2', '1.2.3.4', '-1.0.0', '1.0.-1', '1e3.0.0', '1.0.99999999999999999', ' 1.0.0', '٣.0.0'])(
  'the cursor "%s" is refused with 400 and a sentence [feed-bad-cursor]',
  async cursor => {
    const answer = await openFeed(home, run, cursor)
    expect(answer.statusCode).toBe(400)
    expect(JSON.parse(await textOf(answer)).error).toEqual({
      code: 'bad-request',
      sentence: 'a cursor is seq.turn.offset',
    })
  },
)

test('a cursor that is ahead of the run, or points nowhere, harms nobody [feed-bad-cursor]', async () => {
  const left = new AbortController()
  const answers = await Promise.all(
    ['999999.0.0', '0.999.0', '2.1.7', '0.1.999999999'].map(cursor => openFeed(home, run, cursor, left.signal)),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  for (const answer of answers) answer.on('error', () => {})
  left.abort()
  expect((await readFeed(home, run, null, isEnd)).length).toBeGreaterThan(5)
})

test('the feed of a run that does not exist is refused with 404 [feed-bad-cursor]', async () => {
  expect((await openFeed(home, 'zzzzzzzz', null)).statusCode).toBe(404)
})

function isEndOf(turn: number) {
  return (item: FeedItem) => isEnd(item) && 'event' in item && 'turn' in item.event && item.event.turn === turn
}
