import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { DaemonStatus } from '../../src/contract/api.ts'
import type { RunDetail } from '../../src/contract/run.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { untilServes } from '../daemon/processes.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { kill, PROGRAM, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { ALLOWED, plantEnvironment, plantMistakes, plantProxies, plantTexts } from './planted.ts'
import { type Find, inFiles, inText, modesIn, onCommandLines, processes, type Secrets } from './search.ts'

// Not ours: what the user keeps in a project, and what the client itself keeps.
const NOT_OURS = ['project', 'user/.claude', 'tmp']

type Texts = ReturnType<typeof plantTexts>

/** A user whose environment is full of secrets. */
async function carelessHome(rules: RuleSource[], { ownCache = false } = {}) {
  const proxies = plantProxies()
  const environment = plantEnvironment()
  const home = await tempHome({ scenario: rules })
  // What Node keeps of our program is then searched like all else.
  if (ownCache) rmSync(join(home.user, '.cache', 'rehoboam'))
  Object.assign(home.env, environment, proxies.environment, { TMPDIR: join(home.root, 'tmp'), NO_PROXY: '127.0.0.1' })
  const secrets: Secrets = { ...environment, ...proxies.secrets }
  return Object.assign(home, { secrets })
}

function rulesFor(texts: Texts): RuleSource[] {
  const tools = [
    { name: 'Write', input: { file_path: '{{cwd}}/written.txt', content: texts.toolInput } },
    { name: 'Read', input: { file_path: '{{cwd}}/kept.txt' } },
  ]
  return [
    { when: { attempt: 1, turn: 0 }, reply: { text: `I say ${texts.agent}`, tools } },
    { when: { attempt: 1, turn: 1 }, reply: { text: 'half-way', fault: { kind: 'hang', at: 'start', name: 'gate' } } },
    { when: { turn: 0 }, reply: { text: 'good' } },
  ]
}

/** What the commands print. Only `show` is about one run's texts. */
async function inPrinted(home: TempHome, secrets: Secrets): Promise<Find[]> {
  const commands = [
    ['runs', '--json'],
    ['daemon', 'logs'],
    ['config', 'list'],
  ]
  const printed = await Promise.all(commands.map(words => home.rehoboam(words)))
  return printed.flatMap(({ out, err }, n) => inText(secrets, out + err, `rehoboam ${commands[n]!.join(' ')}`))
}

/** What anybody may ask for who has the socket. */
async function pages(home: TempHome): Promise<{ where: string; text: string }[]> {
  const status = await home.daemon.askRunning<DaemonStatus>({ path: '/v1/status' })
  const refused = await fetch(`http://127.0.0.1:${status.port}/v1/session`).then(answer => answer.text())
  return [
    { where: '/v1/status', text: JSON.stringify(status) },
    { where: '/v1/runs', text: JSON.stringify(await home.daemon.askRunning({ path: '/v1/runs' })) },
    { where: 'loopback', text: refused },
  ]
}

/** Everything that is somewhere it must not be, now. */
async function leaks(home: TempHome, secrets: Secrets, texts: Partial<Texts>): Promise<Find[]> {
  const all: Secrets = { ...secrets, ...texts }
  const inState = inFiles(all, home.home).filter(({ door, where }) => !ALLOWED[door as keyof Texts]?.includes(where))
  const elsewhere = inFiles(all, home.root, [...NOT_OURS, 'state'])
  const daemons = processes(home.root).filter(({ environment }) => !environment.includes('REHOBOAM_TURN='))
  const ours = daemons.flatMap(({ pid, command, environment }) =>
    inText(all, environment, `environment of ${pid} ${command.replaceAll('\0', ' ').slice(0, 120)}`),
  )
  const shown = (await pages(home)).flatMap(({ where, text }) => inText(all, text, where))
  return [...onCommandLines(all), ...inState, ...elsewhere, ...ours, ...shown]
}

test('secrets of the environment are in no file, list, log or command line, only with the session itself [secret-environment]', async () => {
  const texts = plantTexts()
  await using home = await carelessHome(rulesFor(texts), { ownCache: true })
  writeFileSync(join(home.project, 'kept.txt'), 'harmless\n')
  writeFileSync(join(home.project, 'prompt.txt'), 'work')
  const spawned = await home.rehoboam(['spawn', '--prompt-file', 'prompt.txt', '--permission-mode', 'acceptEdits'])
  const run = spawned.out.trim()
  await home.model.waitFor(asked => asked.turn === 1)
  const session = processes(home.root).filter(({ environment }) => environment.includes('REHOBOAM_TURN='))
  for (const [door, secret] of Object.entries(home.secrets)) {
    expect(
      session.some(({ environment }) => environment.includes(String(secret))),
      `${door} reached the session`,
    ).toBe(true)
  }
  expect(await leaks(home, home.secrets, {})).toEqual([])
  if (PLAYS_ALL) expect(await inPrinted(home, home.secrets)).toEqual([])
  home.model.release('gate')
  await until(async () => (await shown(home, run)).status === 'complete', 'the run to be complete')
  expect(await leaks(home, home.secrets, {})).toEqual([])
  // Whatever the environment held, only names are written down.
  const kept = home.journal(run).flatMap(event => (event.type === 'run-created' ? [event.environment] : []))
  expect(kept[0]!.credentials).toContain('ANTHROPIC_API_KEY')
  expect(kept[0]!.others).toEqual(expect.arrayContaining(['GITHUB_TOKEN', 'HTTPS_PROXY', 'HARMLESS_LOOKING']))
  // The supervisor starts another daemon, which has only the files to go by.
  const before = home.daemonPid()!
  kill(before)
  await untilServes(home, before)
  expect(await leaks(home, home.secrets, {})).toEqual([])
  expect(await inPrinted(home, home.secrets)).toEqual([])
})

test('what people and agents say is in the files of its run and nowhere else, while it runs and after [secret-environment]', async () => {
  const texts = plantTexts()
  await using home = await carelessHome(rulesFor(texts), { ownCache: true })
  writeFileSync(join(home.project, 'kept.txt'), `${texts.toolResult}\n`)
  writeFileSync(join(home.project, 'prompt.txt'), `do it with ${texts.prompt}`)
  const run = (
    await home.rehoboam(['spawn', '--prompt-file', 'prompt.txt', '--permission-mode', 'acceptEdits'])
  ).out.trim()
  await home.model.waitFor(asked => asked.turn === 1)
  await home.daemon.askRunning({ method: 'POST', path: `/v1/runs/${run}/tell`, body: { text: texts.tell } })
  expect(await leaks(home, home.secrets, texts)).toEqual([])
  if (PLAYS_ALL) expect(await inPrinted(home, { ...home.secrets, ...texts })).toEqual([])
  home.model.release('gate')
  await until(async () => (await shown(home, run)).status === 'complete', 'the run to be complete')
  const resume = { text: texts.resume, environment: home.env }
  await home.daemon.askRunning({ method: 'POST', path: `/v1/runs/${run}/resume`, body: resume })
  await until(async () => (await shown(home, run)).turns.length === 3, 'the third turn')
  await until(async () => (await shown(home, run)).status === 'complete', 'the run to be complete')
  expect(await leaks(home, home.secrets, texts)).toEqual([])
  expect(await inPrinted(home, { ...home.secrets, ...texts })).toEqual([])
  // They were really there: each stands where it has to.
  const found = inFiles({ ...texts }, home.home).map(({ door }) => door)
  for (const door of ['prompt', 'tell', 'resume', 'agent', 'toolInput', 'toolResult']) expect(found).toContain(door)
  // And the one page that is about them shows its user's own prompt.
  expect((await shown(home, run)).prompt).toContain(texts.prompt)
})

async function shown(home: TempHome, run: string): Promise<RunDetail> {
  return home.daemon.askRunning<RunDetail>({ path: `/v1/runs/${run}` })
}

test('what a client says on stderr stays in a file of its turn; only the one who asks for the run sees its end [secret-environment]', async () => {
  const texts = plantTexts()
  await using home = await carelessHome([])
  const client = join(home.project, 'client')
  writeFileSync(client, `#!/bin/sh\necho "cannot log in with ${texts.stderr}" >&2\nexit 3\n`)
  chmodSync(client, 0o755)
  writeFileSync(join(home.project, 'prompt.txt'), texts.prompt)
  const { out } = await home.rehoboam(['spawn', '--prompt-file', 'prompt.txt', '--claude', client])
  const run = out.trim()
  await until(async () => (await shown(home, run)).status === 'failed', 'the run to have failed')
  expect(await leaks(home, home.secrets, texts)).toEqual([])
  expect(await inPrinted(home, { ...home.secrets, ...texts })).toEqual([])
  expect((await shown(home, run)).notes.join()).toContain(texts.stderr)
  expect(inFiles({ stderr: texts.stderr }, home.home)).toEqual([
    { door: 'stderr', where: 'runs/RUN/turns/N/errors.log' },
  ])
})

test("a session's token is in its own environment and nowhere else, and the key that makes tokens in one file [secret-token]", async () => {
  await using home = await carelessHome(rulesFor(plantTexts()))
  writeFileSync(join(home.project, 'kept.txt'), 'harmless\n')
  await home.rehoboam(['spawn', '--prompt', 'work', '--permission-mode', 'acceptEdits'])
  await home.model.waitFor(asked => asked.turn === 1)
  const session = processes(home.root).find(({ environment }) => environment.includes('REHOBOAM_TOKEN='))
  const token = /REHOBOAM_TOKEN=([^\0]+)/.exec(session!.environment)![1]!
  const signature = token.split('.')[1]!
  expect(signature.length).toBeGreaterThan(40)
  expect(await leaks(home, { token, signature }, {})).toEqual([])
  expect(await inPrinted(home, { token, signature })).toEqual([])
  const key = readFileSync(join(home.home, 'key'))
  expect(inFiles({ key, hex: key.toString('hex'), base64: key.toString('base64') }, home.root)).toEqual([
    { door: 'key', where: 'state/key' },
  ])
  home.model.release('gate')
})

test('values that are wrong, in a body, a flag or a project file, are in no log, journal or list [secret-environment]', async () => {
  const mistakes = plantMistakes()
  await using home = await carelessHome([])
  const wrong = [
    ['/v1/runs', { request: mistakes.body, prompt: { text: mistakes.body }, environment: { A: [mistakes.body] } }],
    ['/v1/runs', mistakes.body],
    ['/v1/runs', [mistakes.body]],
    ['/v1/runs/x/tell', { text: [mistakes.body] }],
    ['/v1/runs/x/resume', { text: 1, environment: mistakes.body }],
    ['/v1/stop', { version: { secret: mistakes.body } }],
    [
      '/v1/config/set',
      { directory: mistakes.body, environment: {}, key: 1, value: mistakes.body, where: mistakes.body },
    ],
  ] as const
  for (const [path, body] of wrong) {
    const refused = await home.daemon.askRunning<Error>({ method: 'POST', path, body }).catch((error: Error) => error)
    expect(refused.message, `${path} ${JSON.stringify(body)}`).not.toContain(mistakes.body)
  }
  // To the person who typed it, an error may quote it.
  await home.rehoboam(['spawn', '--prompt', 'x', '--max-cost', mistakes.flag])
  writeFileSync(join(home.project, 'rehoboam.config.json'), JSON.stringify({ maxTime: mistakes.projectFile }))
  await home.rehoboam(['spawn', '--prompt', 'x'])
  await home.rehoboam(['logs', 'x', '--debug', mistakes.feed])
  writeFileSync(join(home.project, 'rehoboam.config.json'), '{}')
  expect(await leaks(home, { ...home.secrets, ...mistakes }, {})).toEqual([])
  expect(await inPrinted(home, { ...home.secrets, ...mistakes })).toEqual([])
})

test('the search finds what it is to find: on a command line, in an environment, in a file and in a text [secret-environment]', async () => {
  using folder = temporary()
  const secrets = {
    argument: 'planted-argument-1',
    variable: 'planted-variable-2',
    file: 'planted-file-3',
    text: 'planted-text-4',
  }
  mkdirSync(join(folder.path, 'runs', 'abcd1234', 'turns', '7'), { recursive: true })
  writeFileSync(
    join(folder.path, 'runs', 'abcd1234', 'turns', '7', 'claim'),
    Buffer.from(`\0\xff${secrets.file}`, 'latin1'),
  )
  const words = ['-c', 'read -r _', 'sh', folder.path, secrets.argument]
  const child = spawn('/bin/sh', words, { env: { NAME: secrets.variable }, stdio: ['pipe', 'ignore', 'ignore'] })
  try {
    const [found] = await until(
      () => processes(folder.path).filter(({ pid }) => pid === child.pid && pid),
      'the process',
    )
    expect(onCommandLines(secrets)).toEqual([{ door: 'argument', where: `command line of ${child.pid}` }])
    expect(inText(secrets, found!.environment, 'here')).toEqual([{ door: 'variable', where: 'here' }])
  } finally {
    child.kill('SIGKILL')
  }
  expect(inFiles(secrets, folder.path)).toEqual([{ door: 'file', where: 'runs/RUN/turns/N/claim' }])
  expect(inText(secrets, `the ${secrets.text}.`, 'there')).toEqual([{ door: 'text', where: 'there' }])
})

function temporary() {
  const path = mkdtempSync(join(tmpdir(), 'rehoboam-secrets-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

test('everything in the state directory is for its owner only, whatever the umask [daemon-files-private]', async () => {
  const texts = plantTexts()
  await using home = await carelessHome(rulesFor(texts))
  writeFileSync(join(home.project, 'kept.txt'), 'harmless\n')
  // In a shell of its own: the umask of this process is that of the files of tests that come after this one.
  const words = [process.execPath, PROGRAM, 'spawn', '--prompt', 'work', '--permission-mode', 'acceptEdits']
  await promisify(execFile)('/bin/sh', ['-c', 'umask 0; exec "$@"', 'sh', ...words], {
    cwd: home.project,
    env: home.env,
  })
  await home.model.waitFor(asked => asked.turn === 1)
  // SQLite makes the lock, and nothing is ever in it.
  const open = () => modesIn(home.home).filter(({ mode, path }) => (mode & 0o077) !== 0 && path !== 'daemon.lock')
  expect(open()).toEqual([])
  const run = home.runs()[0]!
  home.model.release('gate')
  await until(async () => (await shown(home, run)).status === 'complete', 'the run to be complete')
  await home.daemon.stop(null)
  expect(open()).toEqual([])
})
