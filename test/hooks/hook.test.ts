import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentsOf, inboxOf } from '../inbox/scene.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { kill, PROGRAM, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { event, historyOf, hook } from './hook.ts'

/** With a daemon, for the tests that do not see each other's sessions. */
let shared: TempHome
beforeAll(async () => {
  shared = await tempHome()
  await shared.daemon.ready()
})
afterAll(() => shared[Symbol.asyncDispose]())

test('a hook reports to the daemon, prints nothing and exits 0 [hook-reports]', async () => {
  const payload = event('UserPromptSubmit', { session_id: 'one-that-reports', prompt: 'go' })
  const { code, out, err } = await hook(shared, payload, [], { CLAUDE_PID: String(process.pid) })
  expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' })
  expect(await known('one-that-reports')).toMatchObject({ status: 'working', cwd: '/somewhere' })
})

test('rubbish is swallowed without a word [hook-reports]', async () => {
  for (const payload of [
    '',
    'not json',
    '[]',
    'null',
    '{"session_id": 5}',
    `{"a":${'['.repeat(5000)}`,
    event('X'.repeat(5000)),
  ]) {
    const { code, out, err } = await hook(shared, payload)
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' })
  }
})

test('an event whose input comes in pieces, through an end that does not wait, arrives whole [hook-reports]', async () => {
  const path = join(shared.root, 'input')
  execFileSync('mkfifo', [path])
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writing = openSync(path, constants.O_WRONLY)
  const child = spawn(process.execPath, [PROGRAM, 'hook'], { env: shared.env, stdio: [reading, 'ignore', 'ignore'] })
  closeSync(reading)
  const text = JSON.stringify(event('UserPromptSubmit', { session_id: 'one-that-is-slow', prompt: 'go' }))
  let sent = 0
  const sendOn = () => {
    sent += writeSync(writing, text.slice(sent, sent + 3))
    return sent === text.length
  }
  await until(sendOn, 'a slow writer to have written all of it')
  closeSync(writing)
  expect(await once(child, 'close')).toEqual([0, null])
  expect(await known('one-that-is-slow')).toMatchObject({ status: 'working' })
})

/** On a machine that is too busy for an answer in time, its event comes by way of the spool. */
function known(session: string) {
  const find = async () => (await agentsOf(shared)).find(agent => agent.session === session)
  return until(find, 'the event to be heard')
}

test('with the daemon down, hooks neither wait nor speak, and arrive in order at the next start [hook-spool]', async () => {
  await using home = await tempHome()
  const count = PLAYS_ALL ? 50 : 10
  for (let n = 1; n <= count; n++) {
    const payload = event('PreToolUse', {
      tool_name: 'Bash',
      tool_input: { command: `echo ${n}` },
      tool_use_id: `t${n}`,
    })
    const { code, out, err } = await hook(home, payload, [], { CLAUDE_PID: String(process.pid) })
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: '' })
  }
  await home.daemon.ready()
  const words = (await historyOf(home)).map(entry => entry.words)
  expect(words).toEqual(Array.from({ length: count }, (_, n) => `Bash: echo ${n + 1}`))
  expect(existsSync(join(home.home, 'spool.ndjson'))).toBe(false)
})

test('what hooks leave because a daemon did not answer in time is taken in while it serves, once; what came since knows better [hook-spool] [hook-order]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  const daemon = home.daemonPid()!
  const send = (name: string, fields: Record<string, unknown> = {}) =>
    hook(home, event(name, fields), [], { CLAUDE_PID: String(process.pid) })
  kill(daemon, 'SIGSTOP')
  expect(await send('UserPromptSubmit', { prompt: 'go' })).toMatchObject({ code: 0, out: '', err: '' })
  const spool = join(home.home, 'spool.ndjson')
  const late = readFileSync(spool, 'utf8')
  kill(daemon, 'SIGCONT')
  const names = async () => (await historyOf(home)).map(({ name }) => name)
  await until(async () => (await names()).length === 1 && !existsSync(spool), 'the event to be taken in')
  expect(await agentsOf(home)).toMatchObject([{ status: 'working' }])

  await until(async () => {
    await send('Stop', { last_assistant_message: 'Done.' })
    return (await agentsOf(home))[0]?.status === 'waiting'
  }, 'the end of its turn')
  // An event of before that end, under another id, and the first one again.
  const older = JSON.parse(late)
  appendFileSync(spool, `${JSON.stringify({ ...older, id: randomUUID() })}\n${late}`)
  // One end or more: on a busy machine some of them come late too.
  const prompts = async () => (await names()).filter(name => name !== 'Stop')
  await until(async () => (await prompts()).length > 1, 'the older event to be taken in')
  expect(await prompts()).toEqual(['UserPromptSubmit', 'UserPromptSubmit'])
  expect(await agentsOf(home)).toMatchObject([{ status: 'waiting' }])
})

test('a permission of a user’s own headless script is not held [hook-script-passes]', async () => {
  const payload = event('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'x' } })
  const { code, out } = await hook(shared, payload, ['--hold'], { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' })
  expect({ code, out }).toEqual({ code: 0, out: '' })
})

test('one of a user’s own sessions in a pane is not held while no daemon runs [hook-script-passes]', async () => {
  await using home = await tempHome()
  const payload = event('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'x' } })
  expect(await hook(home, payload, ['--hold'], { CLAUDE_CODE_ENTRYPOINT: 'cli' })).toMatchObject({ code: 0, out: '' })
})

test('TERM to a held hook, which is Esc in the pane, closes its question [inbox-pane-answer]', async () => {
  const child = spawn(process.execPath, [PROGRAM, 'hook', '--hold'], {
    env: { ...shared.env, CLAUDE_CODE_ENTRYPOINT: 'cli' },
  })
  const asked = { session_id: 'one-that-is-held', tool_name: 'Bash', tool_input: { command: 'x' } }
  child.stdin.end(JSON.stringify(event('PermissionRequest', asked)))
  const isOpen = async () => (await inboxOf(shared)).some(({ agent }) => agent === asked.session_id)
  await until(isOpen, 'the question')
  child.kill('SIGTERM')
  await until(async () => !(await isOpen()), 'the question to be closed')
})

test('a user’s own headless session with our hooks installed does not hang and is shown [hook-script-passes]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [
      {
        when: { turn: 0 },
        reply: { text: 'x', tools: [{ name: 'Bash', input: { command: 'touch made', description: 'd' } }] },
      },
      { reply: { text: 'Done with it.' } },
    ],
  })
  expect((await home.rehoboam(['init'])).code).toBe(0)
  await home.daemon.ready()
  const { REHOBOAM_CLAUDE: client, ...env } = home.env
  const child = spawn(client!, ['-p', '--output-format', 'json'], {
    cwd: home.project,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.on('data', part => {
    out += part
  })
  child.stdin.end('go')
  await new Promise(resolve => child.once('close', resolve))
  expect(JSON.parse(out)).toMatchObject({ result: 'Done with it.', permission_denials: [{ tool_name: 'Bash' }] })
  // Gone: its last hook was ended with it.
  const hasEnded = (status = '') => status === 'done' || status === 'gone'
  await until(async () => hasEnded((await agentsOf(home))[0]?.status), 'its end')
  expect(await agentsOf(home)).toMatchObject([{ run: null }])
})

test('a hook of the project in a session of ours says nothing: it is reported once [hook-reports]', async () => {
  await using home = await tempHome({ client: 'either', scenario: [{ reply: { text: 'Fine.' } }] })
  expect((await home.rehoboam(['init'])).code).toBe(0)
  expect((await home.rehoboam(['spawn', '--prompt', 'go', '--wait'])).code).toBe(0)
  const names = async () => (await historyOf(home)).map(({ name }) => name)
  // On a busy machine some of them come by way of the spool, after the session has ended.
  await until(async () => {
    const heard = await names()
    return ['UserPromptSubmit', 'Stop', 'SessionEnd'].every(name => heard.includes(name))
  }, 'all that it reports')
  expect((await names()).filter(name => name === 'UserPromptSubmit')).toHaveLength(1)
  expect(readFileSync(join(home.home, 'daemon.log'), 'utf8')).not.toContain('failed')
})

test('with hooks.http off a session of ours reports by commands alone [hook-no-http]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [
      {
        when: { turn: 0 },
        reply: { text: 'x', tools: [{ name: 'Bash', input: { command: 'echo it', description: 'd' } }] },
      },
      { reply: { text: 'Done with it.', fault: { kind: 'hang', name: 'last' } } },
    ],
  })
  mkdirSync(join(home.user, '.config/rehoboam'), { recursive: true })
  writeFileSync(join(home.user, '.config/rehoboam/config.json'), '{ "hooks.http": "off" }')
  expect((await home.rehoboam(['spawn', '--prompt', 'go', '--allowed-tools', 'Bash'])).code).toBe(0)
  const names = async () => (await historyOf(home)).map(({ name }) => name)
  // The hook before a tool is async, and a client that ends takes along what still runs: so it ends when it was heard.
  await until(async () => (await names()).includes('PreToolUse'), 'the tool to be told')
  await until(() => home.model.release('last') > 0, 'the last question')
  await until(async () => (await names()).includes('Stop'), 'the end to be told')
  const settings = readFileSync(join(home.home, 'runs', home.runs()[0]!, 'turns', '1', 'settings.json'), 'utf8')
  expect(settings).toContain('"hooks":')
  expect(settings).not.toContain('"type":"http"')
})
