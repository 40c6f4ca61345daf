import * as z from 'zod'

/**
 * The client's hooks that we want, as data, and the two kinds of settings made of it: for a user's own sessions
 * (`rehoboam init`, command hooks in a settings file) and for the sessions that we start (`--settings`).
 */

export type HookRow = {
  event: string
  /** Waits for a person's answer, and tells it to the client. */
  held?: true
  /** In a user's own session the client does not wait for it. */
  async?: true
  /** In a session that we start: none where the same fact comes by another way. */
  how: { headless: 'command' | 'http' | 'none'; pane: 'command' | 'http' }
}

const FREQUENT = { async: true, how: { headless: 'http', pane: 'http' } } as const
// Not async, though nobody answers them: a headless client kills its async hooks when it ends, and with them the news
// that it did. For Stop and SessionEnd it waits; for a headless StopFailure in no case, so that one may still be lost
// (all seen). The price: up to the end of the hook the spinner says "running Stop hook".
const LAST = { how: { headless: 'http', pane: 'command' } } as const
const HELD = { held: true, how: { headless: 'command', pane: 'command' } } as const

export const HOOK_ROWS: readonly HookRow[] = [
  // The client sends SessionStart to commands only; of a headless session that we start we see the stream.
  { event: 'SessionStart', async: true, how: { headless: 'none', pane: 'command' } },
  { event: 'UserPromptSubmit', ...FREQUENT },
  { event: 'PreToolUse', ...FREQUENT },
  { event: 'PostToolUse', ...FREQUENT },
  { event: 'PostToolUseFailure', ...FREQUENT },
  // Questions to a person come this way too. Held at PreToolUse, the client would not show them in its own pane meanwhile.
  { event: 'PermissionRequest', ...HELD },
  { event: 'PermissionDenied', ...FREQUENT },
  { event: 'Notification', ...FREQUENT },
  { event: 'Stop', ...LAST },
  { event: 'StopFailure', ...LAST },
  { event: 'SubagentStart', ...FREQUENT },
  { event: 'SubagentStop', ...FREQUENT },
  { event: 'PreCompact', ...FREQUENT },
  { event: 'PostCompact', ...FREQUENT },
  { event: 'SessionEnd', ...LAST },
  { event: 'TeammateIdle', ...FREQUENT },
  { event: 'TaskCreated', ...FREQUENT },
  { event: 'TaskCompleted', ...FREQUENT },
]

// Seconds. A user's own prompt stays usable in the terminal, so an hour is enough; nobody sits before ours.
const HELD_S = 3600
const HELD_IN_OURS_S = 86_400
// `rehoboam hook` ends within half a second. Too short: an event is lost on a machine that swaps. Too long: a hook that
// hangs holds up the end of a turn (the client's own default is ten minutes).
const QUICK_S = 10

type CommandHook = { type: 'command'; command: string; async?: true; timeout: number }
type HttpHook = {
  type: 'http'
  url: string
  timeout: number
  headers: Record<string, string>
  allowedEnvVars: string[]
}
type HookGroup<Hook = CommandHook | HttpHook> = { hooks: Hook[] }
type PlacedGroup = { event: string; group: HookGroup<CommandHook> }

/** Of what `init` writes. Raise it when that changes: entries with another number are replaced by the next `init`. */
export const INIT_VERSION = 1

/** What `init` writes, entry by entry. `notes` stand behind the version of the mark of the entry that they are about. */
export function userHooks(program: string, notes: (row: HookRow) => string[] = () => []): PlacedGroup[] {
  return HOOK_ROWS.map(row => {
    const mark = [`init-${INIT_VERSION}`, ...notes(row)].join('.')
    const command = hookCommand(program, row, `--from ${mark}`)
    const quick = row.async ? { async: row.async, timeout: QUICK_S } : { timeout: QUICK_S }
    return {
      event: row.event,
      group: { hooks: [{ type: 'command', command, ...(row.held ? { timeout: HELD_S } : quick) }] },
    }
  })
}

type OwnSession = {
  /** The daemon's, on loopback; null: nothing goes there, every hook is a command that uses the socket. */
  port: number | null
  /** Our program, quoted for a shell: `thisProgram(...)`. */
  command: string
  driver: 'headless' | 'pane'
  /** The socket name of the tmux server that the pane is in. */
  tmux?: string
}

/** The content of the `--settings` file of a session that we start. It holds no secret: the token is a variable. */
export function ownSessionSettings(own: OwnSession): { hooks: Record<string, HookGroup[]> } {
  const hooks: Record<string, HookGroup[]> = {}
  for (const row of HOOK_ROWS) {
    const how = row.how[own.driver]
    if (how === 'none') continue
    const hook = how === 'http' ? frequentHook(own, row) : ownCommand(own, row)
    hooks[row.event] = [{ hooks: [hook] }]
  }
  return { hooks }
}

/** This very program: absolute paths, quoted, so that neither PATH nor a blank in a name matters. */
export function thisProgram({ node, script }: { node: string; script: string }): string {
  return `${inQuotes(node)} ${inQuotes(script)}`
}

/** For a file that a team shares: nothing happens, and nothing is said, where rehoboam is not installed. */
export const ANY_PROGRAM = 'command -v rehoboam >/dev/null 2>&1 && rehoboam'

/** What an entry of ours says about itself in its command; null: not ours. Whoever wrote it, older or newer than we. */
export function markIn(command: unknown): { version: number; notes: string[] } | null {
  if (typeof command !== 'string') return null
  const [, version, notes = ''] =
    /(?:^|\s)hook(?: --[a-z]+)* --from init-(\d{1,9})((?:\.[a-z0-9]+)*)(?=\s|$)/.exec(command) ?? []
  return version === undefined ? null : { version: Number(version), notes: notes.split('.').slice(1) }
}

/** The command as it would be without notes: what can be compared. */
export function withoutNotes(command: string): string {
  return command.replace(/( --from init-\d{1,9})(?:\.[a-z0-9]+)+(?=\s|$)/, '$1')
}

/**
 * Never an exit code but 0 and never a word on stderr, whatever becomes of the program: the client shows both to its
 * user, and takes a 2 (a Node that is too old) for "forbidden". `--hold`: it may wait for an answer.
 */
function hookCommand(program: string, row: HookRow, ...words: string[]): string {
  return [program, 'hook', ...(row.held ? ['--hold'] : []), ...words, '2>/dev/null || exit 0'].join(' ')
}

function ownCommand({ command }: OwnSession, row: HookRow): CommandHook {
  return { type: 'command', command: hookCommand(command, row), timeout: row.held ? HELD_IN_OURS_S : QUICK_S }
}

/** The client must not wait for a process at each of its tool calls, so as a command it is one that it does not wait for. */
function frequentHook(own: OwnSession, row: HookRow): CommandHook | HttpHook {
  if (own.port !== null) return httpHook(own.port, own.tmux)
  return { ...ownCommand(own, row), ...(row.async && { async: row.async }) }
}

function httpHook(port: number, tmux?: string): HttpHook {
  return {
    type: 'http',
    url: `http://127.0.0.1:${port}/v1/hook`,
    timeout: QUICK_S,
    headers: {
      Authorization: 'Bearer $REHOBOAM_TOKEN',
      ...(tmux !== undefined && { 'X-Rehoboam-Pane': `${tmux}:$TMUX_PANE` }),
    },
    allowedEnvVars: ['REHOBOAM_TOKEN', 'TMUX_PANE'],
  }
}

function inQuotes(path: string): string {
  return `"${path.replace(/["$`\\]/g, '\\$&')}"`
}

/** Which settings file: the project's own of this user, the one that a team shares, or the user's for all projects. */
export const SettingsPlace = z.enum(['local', 'shared', 'user'])
export type SettingsPlace = z.infer<typeof SettingsPlace>

const Path = z.string().startsWith('/', 'the path must be absolute').max(4096)
export const InitRequest = z.strictObject({
  directory: Path,
  /** HOME and CLAUDE_CONFIG_DIR of whoever asks. */
  environment: z.record(z.string().max(1000), z.string().max(4096)),
  /** The program that the hooks shall start. */
  program: z.strictObject({ node: Path, script: Path }),
})
export const InitChangeRequest = InitRequest.extend({ place: SettingsPlace })

/** What a settings file holds of ours. `outdated`: something is missing, from another version, or another program's. */
export type HooksState = {
  state: 'none' | 'current' | 'outdated' | 'unreadable'
  hooks: number
  sentence: string
}
export type InitListing = { files: ({ place: SettingsPlace; path: string } & HooksState)[]; notes: string[] }
export type InitChange = {
  place: SettingsPlace
  path: string
  did: 'installed' | 'updated' | 'removed' | 'nothing'
  /** How many of ours the file holds now, or has lost. */
  hooks: number
  notes: string[]
}
