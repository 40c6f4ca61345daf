import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { agentsOf, asking, PERMISSION, spawned } from '../inbox/scene.ts'
import { typed } from '../support/real-pane.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { ownSession } from './own-session.ts'

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
  await using home = await tempHome({ client: 'real', scenario: WORK })
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

test('a message for a session in somebody’s own tmux is typed into its pane, and logs -f shows it as it comes [agent-tell-pane] [agent-logs]', async () => {
  await using home = await tempHome({ client: 'real', scenario: [{ reply: { text: 'Verstanden.' } }] })
  await using own = await ownSession(home)
  const id = own.agent.session.slice(0, 8)
  const following = home.start(['logs', '-f', id])
  const text = 'Grüße; $(touch owned) `x` "y" \'z\' \u001b[201~\nund noch eine Zeile'
  expect(await home.rehoboam(['tell', id, text])).toMatchObject({
    code: 0,
    out: `typed into the pane of agent ${id}\n`,
  })
  const asked = await home.model.waitFor(({ messages }) => JSON.stringify(messages).includes('noch eine Zeile'))
  const prompt = JSON.stringify(asked.messages)
  expect(prompt).toContain('Grüße; $(touch owned) `x` \\"y\\" \'z\' [201~\\nund noch eine Zeile')
  await until(() => following.out().includes('Verstanden.'), 'the answer in the log')
  following.child.kill('SIGINT')
  expect((await following.ended).code).toBe(0)
})

test('nothing is typed into a pane that shows a prompt, a list or somebody’s draft [agent-tell-refused]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  await using own = await ownSession(home)
  const id = own.agent.session.slice(0, 8)
  const prompt = async () => (await own.capture()).split('\n').findLast(row => row.startsWith('❯')) ?? ''
  // It may not take keys yet when its screen is there.
  await until(async () => {
    if ((await prompt()).includes('half a draft')) return true
    await own.keys('C-u', 'half a draft')
    await own.waitForText('half a draft', 3_000).catch(() => {})
    return false
  }, 'a draft')
  const drafted = await home.rehoboam(['tell', id, 'x'])
  expect(drafted).toMatchObject({ code: 1, err: expect.stringContaining('somebody is typing') })
  await own.keys('C-u')
  await until(async () => (await prompt()).trim() === '❯', 'no draft')
  await typed(own, '/model')
  await own.waitForText('Select model')
  const listed = await home.rehoboam(['tell', id, 'x'])
  expect(listed).toMatchObject({
    code: 1,
    err: expect.stringMatching(/shows something else than its input|waits for an answer/),
  })
  await own.keys('Escape')
  await own.waitForText('? for shortcuts')
  expect((await home.rehoboam(['tell', id, 'perm please'])).code).toBe(0)
  await asking(home)
  const asked = await home.rehoboam(['tell', id, 'x'])
  expect(asked).toMatchObject({
    code: 1,
    err: expect.stringMatching(/waits for an answer: Bash: touch made.txt .*rehoboam inbox/),
  })
  const { out } = await home.rehoboam(['show', id])
  expect(out).toMatch(/\nasks\n {2}[0-9a-f]{8} {2}permission, [^:]+ ago: Bash: touch made.txt {2}\(rehoboam allow /)
})

test('a run’s pane that shows a prompt is not typed into either [agent-tell-refused]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  const run = await spawned(home, 'perm please', '--driver', 'pane')
  await asking(home)
  expect(await home.rehoboam(['tell', run, 'x'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('waits for an answer'),
  })
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
