import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROGRAM, type TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

/** The dashboard in a real terminal, driven by keys: a tmux of its own, with a shell that says how it was left. */
export async function dashboardIn(
  home: Pick<TempHome, 'root' | 'project' | 'env'>,
  options: {
    columns?: number
    rows?: number
    args?: string[]
    env?: Record<string, string | undefined>
    program?: string
  } = {},
) {
  const server = `rehoboam-test-${randomUUID().slice(0, 8)}`
  const pidFile = join(home.root, `${server}.pid`)
  const { columns = 120, rows = 40, args = [], env = {}, program = PROGRAM } = options
  const tmux = async (...words: string[]) =>
    (
      await run('tmux', ['-L', server, '-f', '/dev/null', ...words], {
        cwd: home.project,
        env: { ...home.env, TERM: 'xterm-256color' },
      })
    ).stdout
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), "PS1='ready$ ' exec sh")
  const settings = Object.entries(env).map(([name, value]) =>
    value === undefined ? `-u ${name}` : `${name}=${quoted(value)}`,
  )
  const command = ['exec env', ...settings, quoted(process.execPath), quoted(program), ...args].join(' ')
  const start = `sh -c ${quoted(`echo $$ > ${pidFile}; ${command}`)}; echo "left with $?"`
  const screen = () => tmux('capture-pane', '-p')
  const keys = (...names: string[]) => tmux('send-keys', ...names)
  const terminal = {
    screen,
    keys,
    tmux,
    /** Text as it is, not as names of keys. */
    type: (text: string) => tmux('send-keys', '-l', text),
    /** Starts it, once or again. */
    async open() {
      rmSync(pidFile, { force: true })
      await tmux('send-keys', '-l', start)
      await keys('Enter')
      await terminal.sees(/rehoboam {3}.*(need you|needs you)/)
    },
    pid: () => Number(readFileSync(pidFile, 'utf8')),
    /** Waits until the screen shows it; the error has what it showed instead. */
    async sees(what: RegExp | string): Promise<string> {
      let last = ''
      const isThere = async () => {
        last = await screen()
        return typeof what === 'string' ? last.includes(what) : what.test(last)
      }
      await until(isThere, `the screen to show ${what}`, 120_000).catch(error => {
        throw new Error(`${(error as Error).message}; it shows:\n${last}`)
      })
      return last
    },
    /** What a program may leave switched: the other screen, the cursor, wrapping, modes of keys, the terminal's own. */
    async modes() {
      const flags = ['alternate_on', 'cursor_flag', 'wrap_flag', 'keypad_cursor_flag', 'mouse_any_flag', 'insert_flag']
      const shown = (await tmux('display-message', '-p', flags.map(flag => `${flag}=#{${flag}}`).join(' '))).trim()
      const tty = (await tmux('display-message', '-p', '#{pane_tty}')).trim()
      const { stdout } = await run('stty', ['-F', tty, '-a'])
      return `${shown}\n${stdout}`
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server').catch(() => {})
      if (existsSync(pidFile)) rmSync(pidFile)
    },
  }
  await terminal.sees('ready$')
  return terminal
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
