/**
 * What must not reach a test: another session's identity, credentials that would make a scripted session a paid one,
 * the user's tmux server, and what git sets inside a hook, which would turn a test's git loose on this checkout.
 */
const foreign = [
  /^(CLAUDECODE|CLAUDE_.*|AI_AGENT)$/,
  /^ANTHROPIC_/,
  /^REHOBOAM_/,
  /^TMUX/,
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|PREFIX|EDITOR|AUTHOR_.*|COMMITTER_.*)$/,
]

export function foreignNames(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(environment).filter(name => foreign.some(pattern => pattern.test(name)))
}

export function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const clean = { ...environment }
  for (const name of foreignNames(clean)) delete clean[name]
  return clean
}
