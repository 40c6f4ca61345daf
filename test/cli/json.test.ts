import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { RunDetail, RunSummary } from '../../src/contract/run.ts'
import { untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

const Detail = RunDetail.strict()
const Summary = RunSummary.strict()

// As product.md gives it to those who write scripts, a second time: a renamed field is noticed here. Only `parent`, `asks` and `waitsUntil` were
// added.
const FIELDS = [
  ...['id', 'kind', 'parent', 'status', 'cause', 'proven', 'project', 'iteration', 'maxIterations', 'steps', 'costUsd'],
  ...['startedAt', 'endedAt', 'asks', 'waitsUntil'],
]

describe('what scripts rely on', () => {
  // One home for all of them: each looks at runs of its own.
  let home: TempHome
  beforeAll(async () => {
    home = await tempHome({
      scenario: [
        { when: { prompt: 'hang' }, reply: { fault: { kind: 'hang' } } },
        { when: { prompt: 'lines' }, reply: { text: 'line one\nline two', fault: { kind: 'hang', name: 'lines' } } },
        { reply: { text: 'done' } },
      ],
    })
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test('runs, show, and every command that changes a run print what the schema says [cli-json]', async () => {
    const json = async (...args: string[]) => JSON.parse((await home.rehoboam([...args, '--json'])).out)
    const { id, ...more } = await json('spawn', '--prompt', 'hang')
    expect(more).toEqual({})
    await home.model.waitFor(({ line }) => line.run === id)

    const active = Summary.array()
      .parse(await json('runs'))
      .find(run => run.id === id)
    expect(Object.keys(active!)).toEqual(FIELDS)
    expect(active).toMatchObject({ id, kind: 'session', status: 'active', project: home.project, endedAt: null })
    expect(Summary.extend({ driver: z.string() }).parse(await json('tell', id, 'a word'))).toMatchObject({
      id,
      status: 'active',
    })
    expect(Detail.parse(await json('show', id))).toMatchObject({ id, messagesWaiting: 1, prompt: 'hang', result: null })
    expect(Summary.parse(await json('pause', id))).toMatchObject({ id })
    await untilStatus(home, id, 'paused')
    expect(Summary.parse(await json('cancel', id))).toMatchObject({ status: 'cancelled', cause: 'cancelled' })
    expect(Summary.parse(await json('resume', id))).toMatchObject({ status: 'active', cause: null, endedAt: null })
    await untilStatus(home, id, 'complete')
    const shown = Detail.parse(await json('show', id))
    expect(shown).toMatchObject({ status: 'complete', result: 'done', messagesWaiting: 0 })
    expect(shown.turns.map(({ turn, state }) => [turn, state])).toEqual([
      [1, 'ended'],
      [2, 'ended'],
    ])
  })

  test('a command that follows prints one object a line, times in UTC, and ends with the run [cli-json]', async () => {
    const waiting = home.start(['spawn', '--prompt', 'lines', '--wait', '--json'])
    // A follower gets output at once and an event when it is on the disk. `logs` has them in the order of the journal.
    await until(() => waiting.out().includes('"session-reported"'), 'the event of the first line')
    await until(() => home.model.release('lines') > 0, 'the model to be asked')
    const { code, out } = await waiting.ended
    expect(code).toBe(0)
    const lines = out
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    const { run } = z.strictObject({ run: Detail }).parse(lines.pop())
    expect(run).toMatchObject({ status: 'complete', result: 'line one\nline two' })
    for (const time of [run.startedAt, run.endedAt!]) expect(new Date(time).toISOString()).toBe(time)
    expect(lines[0]).toMatchObject({ cursor: expect.any(String), event: { type: 'run-created', seq: 1 } })
    expect(lines.map(line => line.event?.type ?? line.output.type)).toEqual(
      expect.arrayContaining(['session-started', 'init', 'assistant', 'result', 'session-ended']),
    )
    const logged = await home.rehoboam(['logs', run.id, '--json'])
    expect(
      logged.out
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line)),
    ).toEqual(lines)
  })
})
