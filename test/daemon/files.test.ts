import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Daemon } from '../../src/client/ask.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { modesIn } from '../secrets/search.ts'
import { linesOf, spawnRun, untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'

test('socket, registration and key are 0600 in a 0700 directory, and so is all that a run leaves [daemon-files-private]', async () => {
  await using home = await tempHome({ scenario: turns({}, say('Done.')) })
  // A careless umask changes nothing, and neither does a directory that was there before.
  mkdirSync(home.home, { mode: 0o755 })
  await untilStatus(home, await spawnRun(home, 'Do it'), 'complete')
  expect(mode(home.home)).toBe('700')
  expect(lstatSync(join(home.home, 'daemon.sock')).isSocket()).toBe(true)
  for (const file of ['daemon.sock', 'daemon.json', 'key', 'daemon.log', 'port'])
    expect(mode(home.home, file)).toBe('600')
  expect(openOnes(join(home.home, 'runs'))).toEqual([])
})

test('a relative state directory is the one that it names for the command, for the daemon and its sessions too [cli-relative-home]', async () => {
  await using home = await tempHome({ scenario: turns({}, bash('echo $REHOBOAM_HOME > home'), say('Done.')) })
  const args = ['spawn', '--prompt', 'Do it', '--allowed-tools', 'Bash', '--wait']
  expect(await home.rehoboam(args, { REHOBOAM_HOME: '../state' })).toMatchObject({ code: 0 })
  expect(linesOf(home.project, 'home')).toEqual([home.home])
  expect(home.runs()).toHaveLength(1)
})

test('a state directory that cannot be one is refused with a sentence that names it [daemon-cannot-start]', async () => {
  await using home = await tempHome()
  const file = join(home.root, 'file')
  writeFileSync(file, '')
  for (const REHOBOAM_HOME of [file, join(file, 'state')]) {
    const ended = await home.rehoboam(['runs'], { REHOBOAM_HOME })
    expect(ended).toMatchObject({ code: 1, out: '' })
    expect(ended.err).toMatch(
      new RegExp(`^rehoboam: the state directory ${REHOBOAM_HOME} cannot be used .* REHOBOAM_HOME names another`),
    )
  }
})

test('a state directory whose path is too long for a socket is served over a short path of its user, and another one over another [home-socket]', async () => {
  await using home = await tempHome({ scenario: turns({}, say('Done.')) })
  const env = { REHOBOAM_HOME: join(home.root, 'x'.repeat(120), 'state'), XDG_RUNTIME_DIR: runtime(home) }
  const ended = await home.rehoboam(['spawn', '--prompt', 'Do it', '--wait'], env)
  expect(ended).toMatchObject({ code: 0 })

  const status = JSON.parse((await home.rehoboam(['daemon', 'status', '--json'], env)).out)
  expect(status).toMatchObject({ running: true, home: env.REHOBOAM_HOME })
  expect(Buffer.byteLength(status.socket)).toBeLessThan(104)
  expect([mode(status.socket), mode(dirname(status.socket))]).toEqual(['600', '700'])

  const second = { ...env, REHOBOAM_HOME: join(home.root, 'x'.repeat(120), 'other') }
  const other = JSON.parse((await home.rehoboam(['daemon', 'start', '--json'], second)).out)
  expect(other.pid).not.toBe(status.pid)
  expect(other.socket).not.toBe(status.socket)
  expect(await home.rehoboam(['daemon', 'stop'], env)).toMatchObject({ code: 0 })
})

test('a short path that somebody else made beforehand is refused with a sentence [daemon-cannot-start]', async () => {
  await using home = await tempHome()
  const env = { ...home.env, REHOBOAM_HOME: join(home.root, 'x'.repeat(120)), XDG_RUNTIME_DIR: runtime(home) }
  const { socket } = new Daemon(env, { node: '', script: '', version: '' })
  const foreign = join(home.root, 'foreign')
  mkdirSync(foreign)
  symlinkSync(foreign, dirname(socket))

  const ended = await home.rehoboam(['runs'], env)
  expect(ended).toMatchObject({ code: 1, out: '' })
  expect(ended.err).toContain(`${dirname(socket)} belongs to somebody else; set REHOBOAM_HOME to a directory of yours`)
  expect(readdirSync(foreign)).toEqual([])
  expect(home.processes()).toEqual([])
})

// Only root can give a directory away. Everybody else has the link above, which is the same trick.
if (process.getuid?.() === 0) {
  test('a short path that belongs to another user is refused [daemon-cannot-start]', async () => {
    await using home = await tempHome()
    const env = { ...home.env, REHOBOAM_HOME: join(home.root, 'x'.repeat(120)), XDG_RUNTIME_DIR: runtime(home) }
    const directory = dirname(new Daemon(env, { node: '', script: '', version: '' }).socket)
    mkdirSync(directory, { mode: 0o700 })
    chownSync(directory, 4711, 4711)
    const ended = await home.rehoboam(['runs'], env)
    expect([ended.code, ended.err]).toEqual([1, expect.stringContaining('belongs to somebody else')])
    expect(readdirSync(directory)).toEqual([])
  })
}

function runtime(home: TempHome): string {
  const path = join(home.root, 'run')
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
  return path
}

function mode(...path: string[]): string {
  return (statSync(join(...path)).mode & 0o777).toString(8)
}

/** What others could read or list. */
function openOnes(folder: string): string[] {
  return modesIn(folder)
    .filter(({ mode }) => mode & 0o077)
    .map(({ path }) => path)
}
