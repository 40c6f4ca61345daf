import { describe, test } from 'vitest'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { openBench, puppet } from '../support/real-client.ts'
import { type Entry, transcript } from './files.ts'
import { readRecording } from './recording.ts'
import { ALLOW_ALL } from './scene.ts'

describe.concurrent('the puppet', () => {
  test('writes into a transcript only what the real client writes, with the same figures [puppet-transcript]', async ({
    expect,
  }) => {
    const double = (await transcript.perform(puppet)).performance as Entry[]
    const real = readRecording('files').performances[transcript.name] as Entry[]
    expect(double.map(entry => entry.type)).toEqual(real.map(entry => entry.type))
    for (const [n, entry] of double.entries()) {
      const original = real[n]!
      expect(original.fields).toEqual(expect.arrayContaining(entry.fields))
      expect(original.message).toEqual(expect.arrayContaining(entry.message))
      expect(original.usage).toMatchObject(entry.usage)
      expect(entry.totalCostUSD).toBe(original.totalCostUSD)
    }
  })

  test('speaks text and json as well as the stream [puppet-formats]', async ({ expect }) => {
    await using bench = await openBench([{ reply: say('Done.') }], puppet)
    expect((await bench.run({ args: ['--output-format', 'text'] })).raw).toEqual(['Done.'])
    const { raw } = await bench.run({ args: ['--output-format', 'json'] })
    expect(JSON.parse(raw.join('')).map((line: { type: string }) => line.type)).toEqual([
      'system',
      'assistant',
      'result',
    ])
  })

  test('lets a command that takes too long go on in the background [puppet-timeout]', async ({ expect }) => {
    const slow = use(tool('Bash', { command: 'until [ -e go ]; do sleep 0.05; done', timeout: 50 }))
    await using bench = await openBench(turns({}, slow, bash('touch go'), say('Waiting.'), say('Ended.')), puppet)
    const { lines } = await bench.run({ args: ALLOW_ALL })
    const results = lines.flatMap(line => (line.type === 'tool-results' ? line.results : []))
    expect(results[0]).toMatchObject({ isError: false, text: expect.stringContaining('running in background') })
    const tasks = lines.flatMap(line => (line.type === 'background-tasks' ? [line.tasks.length] : []))
    expect(tasks).toEqual([1, 0])
  })

  test('refuses to play a session on a screen, and says so [puppet-headless-only]', async ({ expect }) => {
    await using bench = await openBench([], puppet)
    const pane = await bench.pane({ prompt: 'hello' })
    await pane.waitForText('plays headless sessions only')
    expect(bench.model.asked).toEqual([])
  })

  test('asks nobody who could send a bill [puppet-free]', async ({ expect }) => {
    await using bench = await openBench([], puppet)
    const { code, stderr } = await bench.run({ env: { ANTHROPIC_BASE_URL: 'https://models.example' } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('scripted models only') })
  })

  test('comes in dozens: many at once each play their own part [puppet-many]', async ({ expect }) => {
    const rules = turns({}, bash('echo {{task}}'), say('I am {{task}}'))
    await using bench = await openBench(rules, puppet)
    const names = Array.from({ length: PLAYS_ALL ? 30 : 12 }, (_, n) => `T-${n}`)
    const ended = await Promise.all(names.map(name => bench.run({ prompt: `[rehoboam run=r1 task=${name}]\nGo.` })))
    expect(ended.map(({ lines }) => lines.at(-1))).toMatchObject(names.map(name => ({ text: `I am ${name}` })))
  })
})
