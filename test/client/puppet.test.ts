import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { bash, say, tool, turns, use } from '../../src/rehearsal/lines.ts'
import { claude, openBench } from '../support/real-client.ts'
import { buildPuppet, type Puppet } from '../support/real-puppet.ts'
import { ALLOW_ALL, SESSION } from './scene.ts'

let puppet: Puppet
beforeAll(async () => {
  puppet = await buildPuppet()
})
afterAll(() => puppet[Symbol.asyncDispose]())

describe.concurrent('the puppet', () => {
  test('writes into a transcript only what the real client writes, with the same figures [puppet-transcript]', async ({
    expect,
  }) => {
    const [double, real] = await Promise.all([entries(puppet.program), entries(claude)])
    expect(double.map(entry => entry.type)).toEqual(real.map(entry => entry.type))
    for (const [n, entry] of double.entries()) {
      const original = real[n]!
      expect(Object.keys(original)).toEqual(expect.arrayContaining(Object.keys(entry)))
      expect(Object.keys(original.message ?? {})).toEqual(expect.arrayContaining(Object.keys(entry.message ?? {})))
      expect(original.message?.usage ?? {}).toMatchObject(entry.message?.usage ?? {})
      expect(entry.totalCostUSD).toBe(original.totalCostUSD)
    }
  })

  test('speaks text and json as well as the stream [puppet-formats]', async ({ expect }) => {
    await using bench = await openBench([{ reply: say('Done.') }], puppet.program)
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
    await using bench = await openBench(
      turns({}, slow, bash('touch go'), say('Waiting.'), say('Ended.')),
      puppet.program,
    )
    const { lines } = await bench.run({ args: ALLOW_ALL })
    const results = lines.flatMap(line => (line.type === 'tool-results' ? line.results : []))
    expect(results[0]).toMatchObject({ isError: false, text: expect.stringContaining('running in background') })
    const tasks = lines.flatMap(line => (line.type === 'background-tasks' ? [line.tasks.length] : []))
    expect(tasks).toEqual([1, 0])
  })

  test('refuses to play a session on a screen, and says so [puppet-headless-only]', async ({ expect }) => {
    await using bench = await openBench([], puppet.program)
    const pane = await bench.pane({ prompt: 'hello' })
    await pane.waitForText('plays headless sessions only')
    expect(bench.model.asked).toEqual([])
  })

  test('asks nobody who could send a bill [puppet-free]', async ({ expect }) => {
    await using bench = await openBench([], puppet.program)
    const { code, stderr } = await bench.run({ env: { ANTHROPIC_BASE_URL: 'https://models.example' } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('scripted models only') })
  })

  test('comes in dozens: thirty at once each play their own part [puppet-many]', async ({ expect }) => {
    const rules = turns({}, bash('echo {{task}}'), say('I am {{task}}'))
    await using bench = await openBench(rules, puppet.program)
    const names = Array.from({ length: 30 }, (_, n) => `T-${n}`)
    const ended = await Promise.all(names.map(name => bench.run({ prompt: `[rehoboam run=r1 task=${name}]\nGo.` })))
    expect(ended.map(({ lines }) => lines.at(-1))).toMatchObject(names.map(name => ({ text: `I am ${name}` })))
  })
})

/** What a client wrote about a session, in the directory that CLAUDE_CONFIG_DIR names. */
// biome-ignore lint/suspicious/noExplicitAny: whatever a client writes
async function entries(program: string[]): Promise<any[]> {
  await using bench = await openBench(turns({}, { text: 'I look.', ...bash('echo hello') }, say('Seen.')), program)
  const config = join(bench.home.home, 'elsewhere')
  await bench.run({ args: ['--session-id', SESSION], env: { CLAUDE_CONFIG_DIR: config } })
  const path = bench.home.transcript(SESSION).replace(join(bench.home.home, '.claude'), config)
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map(line => JSON.parse(line)).filter(entry => ['user', 'assistant', 'cost-state'].includes(entry.type))
}
