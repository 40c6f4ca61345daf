import { everything } from '../git/scratch.ts'

/** What of a repository is its user's, to the byte: all but worktrees and branches of ours, and what git overlooks for them. */
export function theirs(project: string): Record<string, string> {
  const ours = /^\.git\/(worktrees|(logs\/)?refs\/heads\/rehoboam|info\/exclude)/
  return Object.fromEntries(Object.entries(everything(project)).filter(([path]) => !ours.test(path)))
}
