import type { Git } from './run-git.ts'

const [NAME, EMAIL] = ['Rehoboam', 'rehoboam@localhost']

/** Defines `commit_tree` for scripts that run with IDENTITY. It takes the arguments of `git commit-tree`. */
export const COMMIT_TREE = `
commit_tree() {
  git commit-tree "$@" 2>/dev/null && return
  { git var GIT_AUTHOR_IDENT && git var GIT_COMMITTER_IDENT; } >/dev/null 2>&1 ||
    export GIT_AUTHOR_NAME=${NAME} GIT_AUTHOR_EMAIL=${EMAIL} GIT_COMMITTER_NAME=${NAME} GIT_COMMITTER_EMAIL=${EMAIL}
  git commit-tree "$@"
}
`

/** Keeps git from making up a name. A commit is in the user's name if git knows the name, and otherwise in ours. */
export const IDENTITY = 'user.useConfigOnly=true'

/** Makes a commit that is on no branch. */
export async function commitTree(
  git: Git,
  directory: string,
  tree: string,
  parents: string[],
  message: string,
  environment: Record<string, string> = {},
): Promise<string> {
  const words = [tree, ...parents.flatMap(parent => ['-p', parent]), '-m', message]
  const script = `${COMMIT_TREE}commit_tree "$@"`
  return (await git.runScript('commit-tree', script, words, { directory, environment, settings: [IDENTITY] })).trim()
}
