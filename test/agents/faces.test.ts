import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { agentsOf } from '../inbox/scene.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

const WORK: RuleSource[] = [
  {
    when: { prompt: 'work', turn: 0 },
    reply: {
      text: 'Ich lese und schreibe: schöne Grüße \u001b]0;owned\u0007',
      tools: [
        { name: 'Write', input: { file_path: 'grüße.txt', content: 'hallo' } },
        { name: 'Read', input: { file_path: 'nowhere.txt' } },
      ],
    },
  },
  { reply: { text: 'Fine.' } },
]

test('show and logs tell of an agent by the beginning of its id, with nothing that a terminal could obey [agent-show] [agent-logs]', async () => {
  await using home = await tempHome({ client: 'either', scenario: WORK })
  execFileSync('git', ['init', '-q', '-b', 'schön', home.project])
  const args = ['spawn', '--prompt', 'work please', '--permission-mode', 'acceptEdits', '--wait']
  expect((await home.rehoboam(args)).code).toBe(0)
  const [agent] = await agentsOf(home)
  const { code, out } = await home.rehoboam(['show', agent!.session.slice(0, 8)])
  expect(code).toBe(0)
  expect(out).toContain(`agent       ${agent!.session}\nstatus      done: ended\n`)
  for (const line of [/^branch +schön$/m, /^mode +acceptEdits/m, /^run +[a-z0-9]{8} {2}\(rehoboam show/m]) {
    expect(out).toMatch(line)
  }
  expect(out).toMatch(/\ntools\n {2}done in [^\n]+ Write: [^\n]*grüße.txt\n/)
  expect(out).toMatch(/\nfiles changed\n {2}[^\n]*grüße.txt\n/)
  expect(out).toMatch(/\nlast message\n {2}Fine\.\n/)
  expect(out).toMatch(/^tokens +\d[^\n]* in, /m)
  const detail = JSON.parse((await home.rehoboam(['show', agent!.session, '--json'])).out)
  expect(detail).toMatchObject({ session: agent!.session, branch: 'schön', status: 'done', questions: [] })
  const logs = await home.rehoboam(['logs', '-f', agent!.session.slice(0, 8)])
  expect(logs.code).toBe(0)
  expect(logs.out).toMatch(/^> \[rehoboam run=[a-z0-9]{8} role=session attempt=1\]\n {2}work please\n/)
  expect(logs.out).toContain('Ich lese und schreibe: schöne Grüße\n')
  expect(logs.out).toMatch(/\nfailed: [^\n]*(exist|found)/i)
  expect(logs.out).toMatch(/\nFine\.\n$/)
  expect(logs.out + out).not.toMatch(/[\p{Cc}--\n]/v)
})

test('a session that nobody can type to is said to be one, with what to type instead [agent-tell-refused]', async () => {
  await using home = await tempHome()
  const session = '11111111-2222-4333-8444-555555555555'
  const hook = { session_id: session, cwd: home.project, hook_event_name: 'UserPromptSubmit', prompt: 'x' }
  writeFileSync(join(home.root, 'hook.json'), JSON.stringify(hook))
  const send = `"${process.execPath}" "$PROGRAM" hook < "${home.root}/hook.json"`
  const env = { ...home.env, PROGRAM: join(import.meta.dirname, '../../dist/rehoboam.cjs') }
  await home.daemon.ready()
  execFileSync('sh', ['-c', send], { env: { ...env, CLAUDE_PID: String(process.pid), CLAUDE_CODE_ENTRYPOINT: 'cli' } })
  // On a machine that is too busy for an answer in time, it comes by way of the spool.
  await until(async () => (await agentsOf(home)).length === 1, 'the event to be heard')
  const { code, err } = await home.rehoboam(['tell', '1111', 'hello'])
  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/not in tmux.*claude --resume 11111111-/) })
  const wrong = await home.rehoboam(['show', '1111111x'])
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining(`did you mean ${session}?`) })
  expect(await home.rehoboam(['open', '1111'])).toMatchObject({ code: 1 })
})
