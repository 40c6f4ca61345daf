/** What of a caller's environment a session gets, and what of that may be written to the disk. */

export type SplitEnvironment = {
  /** For the session, in memory only. */
  full: Record<string, string>
  /** The part that a journal may hold. */
  kept: Record<string, string>
  /** Names of credentials that were there: without them a session must not be started again. */
  credentials: string[]
  /** Names of everything else, so that what a restart loses can be said. */
  others: string[]
}

/** These name another session, whose child ours would seem to be. */
const NAMES_A_SESSION = new Set([
  'CLAUDECODE',
  'AI_AGENT',
  'CLAUDE_PID',
  'CLAUDE_EFFORT',
  'CLAUDE_PROJECT_DIR',
  ...[
    'SESSION_ID',
    'CHILD_SESSION',
    'ENTRYPOINT',
    'EXECPATH',
    'MESSAGING_SOCKET',
    'MESSAGING_TOKEN',
    'SESSION_ATTENDED',
    'TEAM_NAME',
    'AGENT_ID',
    'AGENT_NAME',
    'AGENT_TYPE',
    'SSE_PORT',
  ].map(name => `CLAUDE_CODE_${name}`),
])

const KEPT = new Set([
  ...['PATH', 'HOME', 'LANG', 'TERM', 'SHELL', 'ANTHROPIC_BASE_URL', 'CLAUDE_CONFIG_DIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY'],
  ...['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
])

/** Each of them says by itself whose account it is. */
export const CREDENTIALS: ReadonlySet<string> = new Set([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
])

export function splitEnvironment(
  caller: Record<string, string>,
  config: { keep: readonly string[]; required: readonly string[] },
): SplitEnvironment {
  const entries = Object.entries(caller).filter(([name]) => !isDropped(name))
  const isCredential = (name: string) =>
    CREDENTIALS.has(name) || /^(AWS|GOOGLE)_/.test(name) || config.required.includes(name)
  const mayKeep = (name: string, value: string) =>
    !isCredential(name) &&
    (KEPT.has(name) || /^XDG_/.test(name) || config.keep.includes(name)) &&
    !hasPassword(name, value)
  const names = entries.map(([name]) => name)
  const kept = Object.fromEntries(entries.filter(([name, value]) => mayKeep(name, value)))
  return {
    full: Object.fromEntries(entries),
    kept,
    credentials: names.filter(isCredential),
    others: names.filter(name => !isCredential(name) && !Object.hasOwn(kept, name)),
  }
}

/** A proxy or a base address may carry `user:password@`, with or without a scheme; then it is a secret like any other. */
function hasPassword(name: string, value: string): boolean {
  return !PATHS.test(name) && /:\/\/\S*@|^[^/\s]+:\S*@/.test(value)
}

/** Paths hold no passwords, and may hold an @: `/opt/node@24/bin`. */
const PATHS = /^(PATH|HOME|SHELL|CLAUDE_CONFIG_DIR|XDG_.*)$/

function isDropped(name: string): boolean {
  return NAMES_A_SESSION.has(name) || name.startsWith('TMUX') || name.startsWith('REHOBOAM_')
}

/** Hooks report to us on 127.0.0.1, which a proxy cannot reach: whoever has one must be told to leave that address out. */
export function besidesProxy(environment: Record<string, string>): Record<string, string> {
  const names = Object.keys(environment)
  if (!names.some(name => /^(https?|all)_proxy$/i.test(name))) return environment
  const excepted = [environment.NO_PROXY ?? environment.no_proxy, '127.0.0.1', 'localhost'].filter(Boolean).join(',')
  return { ...environment, NO_PROXY: excepted, no_proxy: excepted }
}
