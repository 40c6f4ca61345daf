import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PROGRAM, type TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

const run = promisify(execFile)

const END = 'the-command-has-ended'

export type Seen = { bytes: string; screen: string; title: string }

/** Runs a command of ours on a real terminal, in a tmux of its own: every byte that it wrote, and what became of them. */
export async function onTerminal(
  home: Pick<TempHome, 'root' | 'project' | 'env'>,
  args: string[],
  more: Record<string, string> = {},
): Promise<Seen> {
  const server = `rehoboam-test-${randomUUID().slice(0, 8)}`
  const file = join(home.root, `${server}.bytes`)
  const tmux = async (...words: string[]) =>
    (
      await run('tmux', ['-L', server, '-f', '/dev/null', ...words], {
        cwd: home.project,
        env: { ...home.env, TERM: 'xterm-256color' },
      })
    ).stdout
  // Here and not to tmux, which tells its panes what terminal they are.
  const settings = Object.entries(more).map(([name, value]) => `${name}=${value}`)
  const command = ['env', ...settings, process.execPath, PROGRAM, ...args].map(quoted).join(' ')
  // It waits for a key, so that every byte is seen, and stays afterwards, so that its screen is. What it says last has been
  // through tmux and its pipe when it is in the file, and so has everything before it.
  await tmux('new-session', '-d', '-x', '200', '-y', '50', `read _; ${command}; printf '\\n%s' ${END}; read _`)
  try {
    await tmux('pipe-pane', '-O', `cat > ${quoted(file)}`)
    await tmux('send-keys', 'Enter')
    const bytes = () => (existsSync(file) ? readFileSync(file, 'utf8') : '')
    const hasEnded = () => bytes().endsWith(END)
    await until(hasEnded, () => `${command} to end; it wrote ${JSON.stringify(bytes())}`)
    const title = (await tmux('display-message', '-p', '#{pane_title}')).trim()
    const screen = await tmux('capture-pane', '-p', '-e')
    return { bytes: bytes().slice(0, -END.length), screen: screen.replace(END, ''), title }
  } finally {
    await tmux('kill-server').catch(() => {})
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
