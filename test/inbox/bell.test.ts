import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { PROGRAM, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { held } from './held.ts'
import { inboxOf, PERMISSION } from './scene.ts'

const run = promisify(execFile)

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a terminal is told.
const TITLES = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g
const bytesIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '')

/** A command of ours on a terminal, for as long as the test lasts: every byte of it, its title, and keys. */
async function terminal(home: TempHome, args: string[], env: Record<string, string> = {}) {
  const server = `rehoboam-test-${randomUUID().slice(0, 8)}`
  const file = join(home.root, `${server}.bytes`)
  const tmux = async (...words: string[]) => {
    const whole = { cwd: home.project, env: { ...home.env, TERM: 'xterm-256color', ...env } }
    return (await run('tmux', ['-L', server, '-f', '/dev/null', ...words], whole)).stdout
  }
  const command = [process.execPath, PROGRAM, ...args].map(word => `'${word}'`).join(' ')
  await tmux('new-session', '-d', '-x', '80', '-y', '24', `printf '\\033]2;before\\007'; read _; ${command}; read _`)
  await tmux('pipe-pane', '-O', `cat > '${file}'`)
  const title = async () => (await tmux('display-message', '-p', '#{pane_title}')).trim()
  await until(async () => (await title()) === 'before', 'the title before')
  await tmux('send-keys', 'Enter')
  return {
    // A title may end with the same byte; that one is silent.
    bells: () => bytesIn(file).replace(TITLES, '').split('\u0007').length - 1,
    keys: (...keys: string[]) => tmux('send-keys', ...keys),
    screen: () => tmux('capture-pane', '-p'),
    title,
    [Symbol.asyncDispose]: async () => void (await tmux('kill-server').catch(() => {})),
  }
}

test('who follows the inbox on a terminal hears one bell for each new question, and reads in the title how many wait [bell-once]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  const first = held(home, 'echo old')
  await until(async () => (await inboxOf(home)).length === 1, 'the first question')
  await using screen = await terminal(home, ['inbox', '-f'])
  await until(async () => (await screen.title()) === 'rehoboam: 1 need you', 'the title')
  // It was there before anybody looked.
  expect(screen.bells()).toBe(0)
  const second = held(home, `echo ${'schöne lange Grüße '.repeat(12)}`)
  await until(async () => (await screen.title()) === 'rehoboam: 2 need you', 'the next title')
  await until(() => screen.bells() === 1, 'the bell')
  expect((await home.rehoboam(['inbox', 'mute', '9h'])).code).toBe(0)
  expect((await home.rehoboam(['inbox'])).out).toMatch(/\nmuted for another [89] h[^\n]*: no bell, no notices/)
  const third = held(home, 'echo quiet')
  await until(async () => (await screen.title()) === 'rehoboam: 3 need you', 'the third')
  expect((await home.rehoboam(['inbox', 'unmute'])).out).toBe('not muted any more\n')
  expect((await home.rehoboam(['allow', ...(await inboxOf(home)).map(({ id }) => id)])).code).toBe(0)
  await Promise.all([first, second, third])
  await until(async () => (await screen.title()) === 'rehoboam: nothing waits', 'the empty title')
  expect(screen.bells()).toBe(1)
  await screen.keys('C-c')
  await until(async () => (await screen.title()) === 'before', 'the title to be as before')
})

test('--plain and notify.bell keep a terminal quiet [bell-once]', async () => {
  await using home = await tempHome()
  Object.assign(home.env, { REHOBOAM_NOTIFY_BELL: 'off' })
  await home.daemon.ready()
  await using plain = await terminal(home, ['inbox', '-f', '--plain'])
  await using off = await terminal(home, ['inbox', '-f'])
  await until(async () => (await off.title()) === 'rehoboam: nothing waits', 'the follower')
  const asked = held(home, 'echo hallo')
  await until(async () => (await off.title()) === 'rehoboam: 1 need you', 'the title')
  await until(async () => (await plain.screen()).includes('echo hallo'), 'the question on the plain screen')
  expect([plain.bells(), off.bells(), await plain.title()]).toEqual([0, 0, 'before'])
  await home.rehoboam(['allow', (await inboxOf(home))[0]!.id])
  await asked
})

test('who waits for a run on a terminal is told what it asks, with what to type [bell-wait]', async () => {
  await using home = await tempHome({ client: 'either', scenario: PERMISSION })
  const args = ['spawn', '--prompt', 'perm please', '--permission-mode', 'manual', '--wait']
  await using screen = await terminal(home, args)
  await until(async () => (await screen.screen()).includes('asks: Bash: touch made.txt'), 'the question on the screen')
  await until(() => screen.bells() === 1, 'the bell')
  const [question] = await inboxOf(home)
  expect(await screen.screen()).toContain(`(rehoboam allow ${question!.id.slice(0, 8)})`)
  expect((await home.rehoboam(['allow', question!.id])).code).toBe(0)
  await until(async () => (await screen.screen()).includes('complete: '), 'the run to be complete')
  await until(async () => (await screen.title()) === 'before', 'the title to be as before')
})
