import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunSummary } from '../../src/contract/run.ts'
import { PROGRAM, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { blocks } from './papers.ts'

describe('README', () => {
  test('its first steps can be typed as they stand [papers-first-steps]', async () => {
    const hang = { kind: 'hang' as const, name: 'first' }
    const [first] = blocks('README.md', 'sh')
    await using home = await tempHome({
      scenario: [
        { when: { attempt: 1 }, reply: { text: 'mended', fault: hang } },
        { when: { prompt: 'what was wrong' }, reply: { text: 'it was the count' } },
        { when: { prompt: 'the other test' }, reply: { text: 'the other too' } },
      ],
    })
    const typed = type(home, first!)
    await until(() => said(home, 'told'), 'the message to be told')
    // The session may be slower than the commands.
    await until(() => home.model.release('first') > 0, 'the model to be asked')
    const { code, out, err } = await typed
    expect(err).toBe('')
    expect(code).toBe(0)
    for (const words of ['mended', 'it was the count', 'the other too']) expect(out).toContain(words)
    expect(out).toMatch(/\ncomplete: .*\n$/)
  })

  test('and so can the rest of its commands [papers-first-steps]', async () => {
    const [, more, own] = blocks('README.md', 'sh')
    const slow = { when: { prompt: 'slow queries' }, reply: { fault: { kind: 'hang' as const } } }
    const task = {
      when: { prompt: 'the task' },
      reply: { text: 'done', fault: { kind: 'hang' as const, name: 'task' } },
    }
    await using home = await tempHome({ scenario: [slow, task] })
    const typed = type(home, more!)
    // Who looks at the list after the second run finds the first one at its end, however long that took.
    const statuses = () => home.daemon.askRunning<RunSummary[]>({ path: '/v1/runs' }).catch(() => [])
    await until(
      async () => (await statuses()).some(({ status }) => status === 'cancelled'),
      'the first to be cancelled',
    )
    await until(() => home.model.release('task') > 0, 'the second run to ask')
    const { code, out } = await typed
    expect(code).toBe(0)
    expect(out).toMatch(/ is being cancelled\n/)
    const runs = JSON.parse(/^\[\n[\s\S]*?^\]$/m.exec(out)![0]) as { status: string }[]
    expect(runs.map(({ status }) => status).sort()).toEqual(['cancelled', 'complete'])
    expect(await type(home, own!)).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(join(home.user, '.claude/settings.json'), 'utf8')).toContain('hook --from init')
  })
})

describe('docs/rehearsal.md', () => {
  test('its scenario plays as it says [papers-first-steps]', async () => {
    const [scenario] = blocks('docs/rehearsal.md', 'json')
    await using home = await tempHome({ scenario: JSON.parse(scenario!) })
    const spawned = await home.rehoboam(['spawn', '--prompt', 'go', '--permission-mode', 'acceptEdits', '--wait'])
    expect(spawned).toMatchObject({
      code: 0,
      out: expect.stringMatching(/I look first\.[\s\S]*Now I write\.[\s\S]*Written\./),
    })
    const id = home.runs()[0]!
    expect(readFileSync(join(home.project, 'hello.txt'), 'utf8')).toBe(`hello from ${id}\n`)
    const again = await home.rehoboam(['resume', id, 'again', '--wait'])
    expect(again).toMatchObject({ code: 0, out: expect.stringMatching(/529[\s\S]*Done again\./) })
    expect(home.model.asked.filter(({ unmatched }) => unmatched)).toEqual([])
  })
})

/** Types a block into a shell, as somebody who has `rehoboam` and a project with a task. */
async function type(home: TempHome, script: string): Promise<{ code: number | null; out: string; err: string }> {
  const [bin, shop] = [join(home.root, 'bin'), join(home.user, 'shop')]
  for (const folder of [bin, shop]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(shop, 'task.md'), 'the task\n')
  writeFileSync(join(bin, 'rehoboam'), `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`)
  chmodSync(join(bin, 'rehoboam'), 0o755)
  const env = { ...home.env, PATH: [bin, dirname(process.execPath), home.env.PATH].join(delimiter) }
  const shell = spawn('sh', ['-eu', '-c', script], { env, cwd: shop, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  shell.stdout.on('data', part => (out += part))
  shell.stderr.on('data', part => (err += part))
  const code = await new Promise<number | null>(resolve => shell.once('close', resolve))
  return { code, out, err }
}

function said(home: TempHome, type: string): boolean {
  const journals = home.runs().map(run => join(home.home, 'runs', run, 'journal.ndjson'))
  return journals.some(path => existsSync(path) && readFileSync(path, 'utf8').includes(`"type":"${type}"`))
}
