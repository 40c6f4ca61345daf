/**
 * What a ward must not inherit: the identity of a session or of ours, a terminal, and what git sets inside a hook, which would
 * turn a test's git loose on the user's checkout.
 */
const FOREIGN = [
  /^(CLAUDECODE|CLAUDE_.*|AI_AGENT)$/,
  /^REHOBOAM_/,
  /^TMUX/,
  /^(FORCE_COLOR|CLICOLOR_FORCE|COLUMNS|LINES)$/,
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|PREFIX)$/,
  // Set by `npm run`, when somebody started us from a script: they name another package.
  /^(npm_(package_.*|lifecycle_.*|command|execpath|node_execpath|config_local_prefix)|INIT_CWD)$/,
]

/** The environment of a ward: its user's, with nobody there to answer. `more` comes from the worktree's setup and wins. */
export function wardEnvironment(
  user: Record<string, string>,
  more: Record<string, string> = {},
): Record<string, string> {
  const inherited = Object.entries(user).filter(([name]) => !FOREIGN.some(pattern => pattern.test(name)))
  return {
    ...Object.fromEntries(inherited),
    CI: '1',
    NO_COLOR: '1',
    TERM: 'dumb',
    // A fetch that asks for a password would wait for nobody.
    GIT_TERMINAL_PROMPT: '0',
    ...more,
  }
}
