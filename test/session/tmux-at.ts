import { execFileSync } from 'node:child_process'

/** Runs a tmux command on a pane as the daemon names it, `<server>:<pane>`, and returns what it printed. */
export function tmuxAt(pane: string, ...words: string[]): string {
  const at = pane.lastIndexOf(':')
  const [command = '', ...more] = words
  return execFileSync('tmux', ['-L', pane.slice(0, at), command, '-t', pane.slice(at + 1), ...more], {
    encoding: 'utf8',
  })
}
