import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

const spawn = ['spawn', '--prompt', 'go', '--permission-mode', 'acceptEdits', '--wait']
const HANGS = [{ reply: { fault: { kind: 'hang' as const } } }]

describe('a command that waits ends with its run’s own code', () => {
  test('0 when it is complete [cli-exit-codes]', async () => {
    await using home = await tempHome({ scenario: [{ reply: { text: 'all is done' } }] })
    const { code, out, err } = await home.rehoboam(spawn)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/all is done\nturn ended .*\ncomplete: .*; to go on: rehoboam resume [a-z0-9]{8} "<text>"\n$/)
  })

  test('1 when it failed, with what the client said [cli-exit-codes]', async () => {
    await using home = await tempHome()
    const client = join(home.root, 'client')
    writeFileSync(client, '#!/bin/sh\necho "no \x1b[31mlicence" >&2\nexit 3\n')
    chmodSync(client, 0o755)
    const { code, out, err } = await home.rehoboam([...spawn, '--claude', client])
    expect(code).toBe(1)
    expect(out).toMatch(
      /\nfailed: the client ended before the session began.* rehoboam resume [a-z0-9]{8} tries again\n$/,
    )
    expect(err).toContain('note: the client said: no licence\n')
    const missing = await home.rehoboam([...spawn, '--claude', join(home.root, 'nowhere')])
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('the client program could not be started')])
  })

  test('4 when it reached its cost limit or its time limit [cli-exit-codes]', async () => {
    const dear = [{ when: { prompt: 'dear' }, reply: { text: 'dear', usage: { input: 1_000_000, output: 1 } } }]
    await using home = await tempHome({ scenario: [...dear, ...HANGS] })
    const cost = await home.rehoboam(['spawn', '--prompt', 'dear', '--wait', '--max-cost', '0.01'])
    expect([cost.code, cost.out]).toEqual([4, expect.stringContaining('over-budget: it reached its cost limit')])
    const time = await home.rehoboam([...spawn, '--max-time', '1s'])
    expect([time.code, time.out]).toEqual([4, expect.stringContaining('over-budget: it reached its time limit')])
  })

  test('5 when somebody cancelled it, every time [cli-exit-codes] [cli-wait-ends] [wait-codes]', async () => {
    await using home = await tempHome({ scenario: HANGS })
    const waiting = [1, 2, 3].map(() => home.start(spawn))
    await until(() => home.model.asked.length === 3, 'three sessions to be under way')
    for (const run of home.runs()) expect((await home.rehoboam(['cancel', run])).code).toBe(0)
    for (const { ended } of waiting) {
      const { code, out } = await ended
      expect([code, out]).toEqual([5, expect.stringMatching(/\ncancelled: somebody cancelled it, .* goes on\n$/)])
    }
  })

  test('6 when it is paused, and 0 when the resumed run is complete [cli-exit-codes] [wait-codes]', async () => {
    await using home = await tempHome({ scenario: HANGS })
    const waiting = home.start(spawn)
    await home.model.waitFor(() => true)
    const [run] = home.runs()
    expect((await home.rehoboam(['pause', run!])).out).toBe(`run ${run} is being paused\n`)
    const { code, out } = await waiting.ended
    expect([code, out]).toEqual([6, expect.stringContaining('paused: somebody paused it')])
    home.model.says({ reply: { text: 'went on' } })
    const resumed = await home.rehoboam(['resume', run!, 'go on', '--wait'])
    expect([resumed.code, resumed.out]).toEqual([0, expect.stringMatching(/turn 2 started\n[\s\S]*went on\n/)])
  })

  test('6 also when the command slept through the end and what came after it [cli-wait-ends]', async () => {
    await using home = await tempHome({ scenario: HANGS })
    const waiting = home.start(spawn)
    await home.model.waitFor(() => true)
    const run = home.runs()[0]!
    waiting.child.kill('SIGSTOP')
    await home.rehoboam(['pause', run])
    await home.rehoboam(['logs', '-f', run])
    await home.rehoboam(['tell', run, 'later'])
    waiting.child.kill('SIGCONT')
    const { code, out } = await waiting.ended
    expect([code, out]).toEqual([6, expect.stringMatching(/\na message was left[^\n]*\npaused: /)])
  })
})

describe('wrong usage is code 2 and starts nothing', () => {
  // One home for all of them: nothing is ever made in it.
  let home: TempHome
  beforeAll(async () => {
    home = await tempHome()
  })
  afterAll(() => home[Symbol.asyncDispose]())

  test.for([
    [['spawn', '--wait'], 'there is no prompt; give --prompt "<what to do>" or --prompt-file FILE'],
    [['spawn', '--prompt', ' '], 'there is no prompt'],
    [['spawn', '--prompt', 'a', '--prompt-file', 'b'], '--prompt and --prompt-file are both given'],
    [['spawn', '--prompt-file', 'nowhere.md'], 'the prompt file cannot be read'],
    [['spawn', 'mend it'], '"mend it" is not understood; the prompt goes behind --prompt'],
    [['spawn', '--prompt', 'a', 'b', '--', 'c'], '"b" is not understood'],
    [['spawn', '--prompt', 'a', '--dir', 'nowhere'], 'is not a directory; --dir names the project'],
    [['spawn', '--prompt', 'a', '--max-cost', 'much'], 'maxCostUsd'],
    [['spawn', '--prompt', 'a', '--max-time', 'soon'], 'maxTime'],
    [['spawn', '--prompt', 'a', '--driver', 'telepathy'], 'driver'],
    [['show', 'nowhere1'], 'there is no run or agent "nowhere1"; rehoboam runs and rehoboam agents list them'],
  ] as const)('%j [cli-usage]', async ([args, sentence]) => {
    const { code, out, err } = await home.rehoboam([...args])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`rehoboam: `)
    expect(err).toContain(sentence)
    expect(home.runs()).toEqual([])
  })
})
