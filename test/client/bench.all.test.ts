import { readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { openBench } from '../support/real-client.ts'
import { typed } from '../support/real-pane.ts'
import { ALLOW_ALL, LATE_MS, SESSION } from './scene.ts'

describe.concurrent('the real client on the bench', () => {
  test('plays a headless session in a home and an environment of its own [bench-client-headless]', async ({
    expect,
  }) => {
    await using bench = await openBench(turns({}, bash('env'), say('Good morning.')))
    const { code, lines, raw } = await bench.run({ prompt: 'Hello', args: ['--session-id', SESSION, ...ALLOW_ALL] })
    expect(code).toBe(0)
    expect(raw).toHaveLength(lines.length)
    // The client's surprise at a settings file that is new to it comes by chance.
    const types = lines.map(line => line.type).filter(type => type !== 'other')
    expect(types).toEqual(['init', 'assistant', 'tool-results', 'assistant', 'result'])
    expect(bench.model.asked[0]).toMatchObject({ prompt: 'Hello', cwd: bench.home.cwd, session: SESSION })
    const seen = lines.flatMap(line => (line.type === 'tool-results' ? line.results.map(r => r.text) : [])).join('\n')
    expect(seen).toContain(`HOME=${bench.home.home}`)
    expect(seen).not.toMatch(/VITEST|npm_/)
    expect(readFileSync(bench.home.transcript(SESSION), 'utf8')).toContain('Good morning.')
  })

  test('shows its screen in a pane, takes a piped prompt and then typed ones [bench-client-pane]', async ({
    expect,
  }) => {
    await using bench = await openBench([
      { when: { prompt: 'piped' }, reply: say('Heard the pipe.') },
      { when: { prompt: 'typed' }, reply: say('Heard the keys.') },
    ])
    const pane = await bench.pane({ prompt: 'This is piped' })
    await pane.waitForText('Heard the pipe.', LATE_MS)
    await typed(pane, 'This is typed')
    await pane.waitForText('Heard the keys.')
    await expect(pane.waitForText('Heard nothing', 50)).rejects.toThrow(
      /did not show Heard nothing within 50 ms:[\s\S]*keys/,
    )
  })
})
