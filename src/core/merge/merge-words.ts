import { oneLine } from '../plain-text.ts'

/** What is said about merges, to workers and to people. Names of files are an agent's: one line each, and bounded. */

const NAMED = 50
const SAID_CHARACTERS = 4_000

export function conflictWords(files: string[], said: string): string {
  const lines = ['These files are in conflict with what others have done meanwhile:', ...listed(files)]
  return said.trim() ? [...lines, '', 'git says:', said.trim().slice(0, SAID_CHARACTERS)].join('\n') : lines.join('\n')
}

export function marksLeftWords(files: string[]): string {
  return ['Marks of a conflict (<<<<<<<, >>>>>>>) are still in these files:', ...listed(files)].join('\n')
}

/** What runs keep for themselves is not part of anybody's work. */
export function oursWords(files: string[]): string {
  const lines =
    'These files are in commits of this work, and must not be: take them out again (git rm --cached), or put back what was there:'
  return [lines, ...listed(files)].join('\n')
}

export function inUseWords(branch: string, at: string): string {
  return `${branch} is checked out in ${at}, so nothing can be merged into it; git switch to another branch there (or: git switch --detach), then answer`
}

export function listed(files: string[]): string[] {
  const named = files.slice(0, NAMED).map(path => `- ${oneLine(path, 300)}`)
  return files.length > NAMED ? [...named, `- and ${files.length - NAMED} more`] : named
}
