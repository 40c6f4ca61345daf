import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as passed } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type InputBox, inputBox } from '../../src/adapters/claude/claude-screen.ts'
import { until } from './until.ts'

const run = promisify(execFile)

export type PaneStart = {
  program: string[]
  args?: string[]
  /** Piped in, as production does it: the first prompt, while the screen stays interactive. */
  prompt?: string
  cwd: string
  env: Record<string, string>
}

export type Screen = {
  capture(): Promise<string>
  keys(...keys: string[]): Promise<void>
  /** Waits until the screen shows it, and fails with the screen when it does not in time. */
  waitForText(text: string | RegExp, timeoutMs?: number): Promise<string>
}

export type Pane = Screen & {
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

// A dialog that comes up while somebody types takes no keys for a moment: they were meant for something else.
const AGAIN_AFTER_MS = 1_500
// The screen has no events, so it is looked at. Often enough that nobody waits for the looking, seldom enough for tmux.
const LOOK_EVERY_MS = 25

/** A client in a tmux server of its own: no test can see, or end, somebody else's panes. */
export async function openPane({ program, args = [], prompt, cwd, env }: PaneStart): Promise<Pane> {
  const server = `rehoboam-test-${randomUUID().slice(0, 8)}`
  const tmux = async (...words: string[]) =>
    (await run('tmux', ['-L', server, '-f', '/dev/null', ...words], { cwd, env })).stdout
  const command = [...program, ...args].map(quoted).join(' ')
  // The last screen of a client that ended is what a failing test wants to see, and nothing of tmux's own on it.
  const keepScreen = ['set-option', '-g', 'remain-on-exit', 'on', ';', 'set-option', '-g', 'remain-on-exit-format', '']
  const size = ['-x', '120', '-y', '40']
  const shell = prompt === undefined ? command : await piped(command, prompt, cwd)
  await tmux('start-server', ';', ...keepScreen, ';', 'new-session', '-d', ...size, '-c', cwd, shell)

  const close = async () => {
    // tmux leaves the file of its socket behind, one for every test that ever ran.
    const socket = await tmux('display-message', '-p', '#{socket_path}').catch(() => '')
    await tmux('kill-server').catch(() => {})
    if (socket) await rm(socket.trim(), { force: true })
  }
  return { ...screen(tmux), close, [Symbol.asyncDispose]: close }
}

/** The one pane of a server that somebody else has started and will end. */
export function paneOn(server: string): Screen {
  return screen(async (...words) => (await run('tmux', ['-L', server, ...words])).stdout)
}

function screen(tmux: (...words: string[]) => Promise<string>): Screen {
  const capture = () => tmux('capture-pane', '-p')
  return {
    capture,
    keys: async (...keys) => void (await tmux('send-keys', ...keys)),
    waitForText: async (text, timeoutMs = 180_000) => {
      const deadline = Date.now() + timeoutMs
      for (;;) {
        const screen = await capture()
        if (typeof text === 'string' ? screen.includes(text) : text.test(screen)) return screen
        if (Date.now() > deadline) throw new Error(`the screen did not show ${text} within ${timeoutMs} ms:\n${screen}`)
        await passed(LOOK_EVERY_MS)
      }
    },
  }
}

/**
 * As a person types: not before the client is ready for it, again when it took nothing (it does not, for a moment, while
 * its screen changes), and Enter when the words are there.
 */
export async function typed(pane: Screen, text: string): Promise<void> {
  await atRest(pane)
  // The box alone: a prompt that was sent begins with the same sign, and Enter again would answer the dialog that comes.
  const box = async () => inputBox(await pane.capture())
  const holds = (shown: InputBox) => shown.is === 'draft' && shown.text === text
  let typedAt = -AGAIN_AFTER_MS
  // A busy client may lose it, as it may lose a letter.
  let sentAt: number | null = null
  await until(async () => {
    const shown = await box()
    const now = performance.now()
    if (holds(shown)) {
      if (sentAt === null || now - sentAt > AGAIN_AFTER_MS) {
        sentAt = now
        await pane.keys('Enter')
      }
      return false
    }
    if (sentAt !== null) return true
    if (shown.is === 'empty' && now - typedAt > AGAIN_AFTER_MS) {
      typedAt = now
      await pane.keys('-l', text)
    }
    // It took a part of it only, or it was slow and took it twice: from the beginning.
    if (shown.is === 'draft' && typedAt > 0 && now - typedAt > 4 * AGAIN_AFTER_MS) await pane.keys('C-u')
    return false
  }, `"${text}" to be typed and sent`)
}

/** Answers a dialog, when it is there, with one key. */
export async function pressed(pane: Screen, dialog: RegExp, keyOf: (dialog: RegExpExecArray) => string): Promise<void> {
  await pane.waitForText(dialog)
  let wasPressed = false
  await pressedUntil(
    // Before the first time it can only be a screen that is just being drawn.
    async () => wasPressed && !dialog.test(await pane.capture()),
    async () => {
      const shown = dialog.exec(await pane.capture())
      if (shown) await pane.keys(keyOf(shown))
      wasPressed ||= shown !== null
      return shown !== null
    },
    `${dialog} to be answered`,
  )
}

/**
 * Presses a key until what it leads to is there: a busy client may lose a key. `press` returns false when it pressed nothing,
 * because the screen is not one that takes the key.
 */
export async function pressedUntil(
  isTaken: () => boolean | Promise<boolean>,
  press: () => boolean | Promise<boolean>,
  what: string,
): Promise<void> {
  let pressedAt = -AGAIN_AFTER_MS
  await until(async () => {
    if (await isTaken()) return true
    if (performance.now() - pressedAt > AGAIN_AFTER_MS && (await press())) pressedAt = performance.now()
    return false
  }, what)
}

/** The screen when nothing moves on it: while a hook runs that is not async, the spinner says so. */
export async function atRest(pane: Screen): Promise<string> {
  return until(async () => {
    const screen = await pane.capture()
    return /esc to interrupt|running \w+ hook/.test(screen) ? '' : screen
  }, 'the client to be at rest')
}

async function piped(command: string, prompt: string, cwd: string): Promise<string> {
  const file = join(cwd, '..', `prompt-${randomUUID().slice(0, 8)}.md`)
  await writeFile(file, prompt)
  return `cat ${quoted(file)} | ${command}`
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
