/** Where the state directory and the socket are. Pure: the caller gives its environment. */

type Env = Record<string, string | undefined>

export function homeOf(env: Env): string {
  if (env.REHOBOAM_HOME) return env.REHOBOAM_HOME.replace(/(.)\/+$/, '$1')
  // The specification of these directories says that a relative one is to be ignored.
  const given = env.XDG_STATE_HOME?.startsWith('/') ? env.XDG_STATE_HOME : null
  const state = given ?? `${env.HOME || '/'}/.local/state`
  return `${state}/rehoboam`
}

// A Unix socket's path has 104 bytes on macOS and 108 on Linux, with the final zero.
const SOCKET_PATH_LIMIT = 100

export function socketOf(home: string, env: Env, uid: number): string {
  const plain = `${home}/daemon.sock`
  if (new TextEncoder().encode(plain).length <= SOCKET_PATH_LIMIT) return plain
  const base = env.XDG_RUNTIME_DIR && env.XDG_RUNTIME_DIR.length < 50 ? env.XDG_RUNTIME_DIR : '/tmp'
  return `${base}/rehoboam-${uid}/${fingerprint(home)}.sock`
}

/** The tmux server for the panes of one state directory: never the user's own. */
export function tmuxSocketOf(home: string): string {
  return `rehoboam-${fingerprint(home)}`
}

/** Two directories of one user must not share a socket; 64 bits of FNV-1a are plenty for that, and need no crypto. */
function fingerprint(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}
