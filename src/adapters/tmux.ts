import { ExecaError, execa } from 'execa'

/** One tmux server, by its socket's name. The user's own server and its configuration are never touched. */
export class Tmux {
  readonly socket: string
  #turn: Promise<unknown> = Promise.resolve()

  constructor(socket: string) {
    this.socket = socket
  }

  /** A pane that runs a program, in a session of its own. Only names of variables are on the command line. */
  async newPane(options: {
    session: string
    directory: string
    command: string[]
    environment: Record<string, string>
    size?: { columns: number; rows: number }
  }): Promise<string> {
    const { session, directory, command, environment, size = { columns: 200, rows: 50 } } = options
    // The server copies these, and only these, from the environment of the command that makes a session.
    const names = Object.keys(environment).filter(name => /^[A-Za-z_]\w*$/.test(name))
    return this.#inTurn(async () => {
      await this.#startServer()
      const { stdout } = await this.#run(
        [
          ...['set-option', '-g', 'update-environment', names.join(' '), ';'],
          ...['new-session', '-d', '-P', '-F', '#{pane_id}', '-s', session, '-c', literal(directory)],
          ...['-x', String(size.columns), '-y', String(size.rows), '--', ...command.map(literal), ';'],
          ...ENDS_WITH_ITS_LAST_SESSION,
        ],
        environment,
      )
      return stdout.trim()
    })
  }

  /** Another program in the same pane, whose id stays. */
  async respawnPane(pane: string, directory: string, command: string[]): Promise<void> {
    await this.#run(['respawn-pane', '-k', '-t', pane, '-c', literal(directory), '--', ...command.map(literal)])
  }

  /** The pane of a session by its name, alive or dead. The name is the key: a server has it once or not at all. */
  async paneOf(session: string): Promise<string | null> {
    const { stdout, exitCode } = await this.#run(['list-panes', '-t', `=${session}`, '-F', '#{pane_id}'], {}, false)
    return exitCode === 0 ? (stdout.split('\n')[0] ?? null) : null
  }

  /** For what is started in a session from now on. Nothing secret: it is on a command line. */
  async setEnvironment(session: string, name: string, value: string): Promise<void> {
    await this.#run(['set-environment', '-t', `=${session}`, name, value])
  }

  async hasPane(pane: string): Promise<boolean> {
    const { stdout } = await this.#run(['list-panes', '-a', '-F', '#{pane_id} #{pane_dead}'], {}, false)
    return stdout.split('\n').includes(`${pane} 0`)
  }

  /** What the pane shows now, without colours. */
  async capture(pane: string): Promise<string> {
    const { stdout } = await this.#run(['capture-pane', '-p', '-t', pane], {}, false)
    return stdout
  }

  /** The same with colours, which tell a hint from what somebody typed. */
  async captureColours(pane: string): Promise<string> {
    const { stdout } = await this.#run(['capture-pane', '-p', '-e', '-t', pane], {}, false)
    return stdout
  }

  /** The process that a pane was opened with, or null when the pane is gone or its process is. */
  async processOf(pane: string): Promise<number | null> {
    const { stdout } = await this.#run(['list-panes', '-a', '-F', '#{pane_id} #{pane_dead} #{pane_pid}'], {}, false)
    const line = stdout.split('\n').find(found => found.startsWith(`${pane} 0 `))
    return line ? Number(line.split(' ')[2]) : null
  }

  /** Types a text as one paste and sends it. It travels by standard input: a message is nobody's command line. */
  async type(pane: string, text: string): Promise<void> {
    const buffer = `rehoboam-${process.pid}-${++buffers}`
    // An escape in it would end the paste, and what follows would be keys.
    const pasted = text.replace(/[\p{Cc}--[\n\t]]/gv, '')
    await execa('tmux', ['-L', this.socket, 'load-buffer', '-b', buffer, '-'], { input: pasted, extendEnv: true })
    // Somebody scrolls back: keys would go to tmux and not to the program.
    await this.#run(['if-shell', '-F', '-t', pane, '#{pane_in_mode}', `send-keys -t ${pane} -X cancel`], {}, false)
    await this.#run(['paste-buffer', '-p', '-d', '-b', buffer, '-t', pane])
    await this.#run(['send-keys', '-t', pane, 'Enter'])
  }

  async killSession(session: string): Promise<void> {
    // One that was started for a pane and never got it, because we died, has been told to stay.
    const words = [...ENDS_WITH_ITS_LAST_SESSION, ';', 'kill-session', '-t', `=${session}`]
    await this.#inTurn(() => this.#run(words, {}, false))
  }

  /** Ends those of these sessions that are there; a server without any ends too. */
  tidy(sessions: Set<string>): Promise<void> {
    return this.#inTurn(async () => {
      const { stdout } = await this.#run(['list-sessions', '-F', '#{session_name}'], {}, false)
      for (const name of stdout.split('\n').filter(found => sessions.has(found)))
        await this.#run(['kill-session', '-t', `=${name}`], {}, false)
      await this.#run(ENDS_WITH_ITS_LAST_SESSION, {}, false)
    })
  }

  /** A server that was just started has no session yet, and whoever ends another may not take it away. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work)
    this.#turn = mine.catch(() => {})
    return mine
  }

  /** With a bare environment: what it is started with, every pane inherits. It stays until it has its first session. */
  async #startServer(): Promise<void> {
    const options = { 'exit-empty': 'off', 'remain-on-exit': 'on', 'history-limit': '20000' }
    const settings = Object.entries(options).flatMap(([name, value]) => [';', 'set-option', '-g', name, value])
    await this.#run(['-f', '/dev/null', 'start-server', ...settings])
  }

  #run(words: string[], environment: Record<string, string> = {}, reject = true) {
    const { PATH = '', HOME = '', LANG = 'C.UTF-8', TMUX_TMPDIR } = process.env
    const own = { PATH, HOME, LANG, TERM: 'xterm-256color', ...(TMUX_TMPDIR ? { TMUX_TMPDIR } : {}) }
    return execa('tmux', ['-L', this.socket, ...words], { env: { ...own, ...environment }, extendEnv: false, reject })
  }
}

let buffers = 0

const ENDS_WITH_ITS_LAST_SESSION = ['set-option', '-g', 'exit-empty', 'on']

/** tmux ends a command at a word that ends with a semicolon. */
function literal(word: string): string {
  return word.replace(/;$/, '\\;')
}

/**
 * Returns whether a command failed because the server, the session or the pane is no longer as it was a moment ago: the
 * server was killed, or a command that an earlier daemon had started made the session.
 */
export function hasTmuxChanged(error: unknown): boolean {
  if (!(error instanceof ExecaError)) return false
  return /server exited|lost server|no server running|error connecting|duplicate session|can't find/.test(
    String(error.stderr),
  )
}

export async function isTmuxThere(): Promise<boolean> {
  const { exitCode } = await execa('tmux', ['-V'], { reject: false, stdio: 'ignore' })
  return exitCode === 0
}

/** What a pane shows, by the name that agents have it under, on whichever server of this user; null when it is not to be seen. */
export async function screenOf(pane: string): Promise<string | null> {
  const [, socket, id] = /^([\w][\w.-]{0,100}):(%\d{1,9})$/.exec(pane) ?? []
  if (!socket || !id) return null
  const screen = await new Tmux(socket).capture(id)
  return screen.trim() === '' ? null : screen
}
