import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { change } from './started.ts'

const spawn = (prompt: string) => ['spawn', '--prompt', prompt, '--permission-mode', 'acceptEdits', '--wait']

// One home for all of them: each has prompts and runs of its own.
let home: TempHome
beforeAll(async () => {
  home = await tempHome({
    scenario: [
      { when: { prompt: 'finish|go on' }, reply: { text: 'all is done' } },
      { when: { prompt: 'dear' }, reply: { text: 'dear', usage: { input: 1_000_000, output: 1 } } },
      { reply: { fault: { kind: 'hang' } } },
    ],
  })
})
afterAll(() => home[Symbol.asyncDispose]())

/** Commands that wait for runs with this prompt, and the runs, once all of their sessions are under way. */
async function waitingFor(prompt: string, count = 1) {
  const waiting = Array.from({ length: count }, () => home.start(spawn(prompt)))
  const runs = () => home.model.asked.filter(asked => asked.prompt.includes(prompt)).map(({ line }) => line.run!)
  await until(() => runs().length === count, 'the sessions to be under way')
  return { waiting, runs: runs() }
}

describe('a command that waits ends with its run’s own code', () => {
  test('0 when it is complete [cli-exit-codes]', async () => {
    const { code, out, err } = await home.rehoboam(spawn('finish'))
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/all is done\nturn ended .*\ncomplete: .*; to go on: rehoboam resume [a-z0-9]{8} "<text>"\n$/)
  })

  test('1 when it failed, with what the client said [cli-exit-codes]', async () => {
    const client = join(home.root, 'client')
    writeFileSync(client, '#!/bin/sh\necho "no \x1b[31mlicence" >&2\nexit 3\n')
    chmodSync(client, 0o755)
    const { code, out, err } = await home.rehoboam([...spawn('fail'), '--claude', client])
    expect(code).toBe(1)
    expect(out).toMatch(
      /\nfailed: the client ended before the session began.* rehoboam resume [a-z0-9]{8} tries again\n$/,
    )
    expect(err).toContain('note: the client said: no licence\n')
    const missing = await home.rehoboam([...spawn('fail'), '--claude', join(home.root, 'nowhere')])
    expect([missing.code, missing.out]).toEqual([1, expect.stringContaining('the client program could not be started')])
  })

  test('4 when it reached its cost limit or its time limit [cli-exit-codes]', async () => {
    const cost = await home.rehoboam([...spawn('dear'), '--max-cost', '0.01'])
    expect([cost.code, cost.out]).toEqual([4, expect.stringContaining('over-budget: it reached its cost limit')])
    const time = await home.rehoboam([...spawn('hang'), '--max-time', '1s'])
    expect([time.code, time.out]).toEqual([4, expect.stringContaining('over-budget: it reached its time limit')])
  })

  test('5 when somebody cancelled it, every time [cli-exit-codes]', async () => {
    const { waiting, runs } = await waitingFor('to be cancelled', 3)
    for (const run of runs) expect((await home.rehoboam(['cancel', run])).code).toBe(0)
    for (const { ended } of waiting) {
      const { code, out } = await ended
      expect([code, out]).toEqual([5, expect.stringMatching(/\ncancelled: somebody cancelled it, .* goes on\n$/)])
    }
  })

  test('6 when it is paused, and 0 when the resumed run is complete [cli-exit-codes]', async () => {
    const { waiting, runs } = await waitingFor('to be paused')
    const [run] = runs
    expect((await home.rehoboam(['pause', run!])).out).toBe(`run ${run} is being paused\n`)
    const { code, out } = await waiting[0]!.ended
    expect([code, out]).toEqual([6, expect.stringContaining('paused: somebody paused it')])
    const resumed = await home.rehoboam(['resume', run!, 'go on', '--wait'])
    expect([resumed.code, resumed.out]).toEqual([0, expect.stringMatching(/turn 2 started\n[\s\S]*all is done\n/)])
  })

  test('6 also when the command slept through the end and what came after it [cli-exit-codes]', async () => {
    const { waiting, runs } = await waitingFor('to be slept through')
    const [run] = runs
    waiting[0]!.child.kill('SIGSTOP')
    await change(home, run!, 'pause')
    await untilStatus(home, run!, 'paused')
    await change(home, run!, 'tell', { text: 'later' })
    waiting[0]!.child.kill('SIGCONT')
    const { code, out } = await waiting[0]!.ended
    expect([code, out]).toEqual([6, expect.stringMatching(/\na message was left[^\n]*\npaused: /)])
  })
})

describe('wrong usage is code 2 and starts nothing', () => {
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
    const before = home.runs()
    const { code, out, err } = await home.rehoboam([...args])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(`rehoboam: `)
    expect(err).toContain(sentence)
    expect(home.runs()).toEqual(before)
  })
})
