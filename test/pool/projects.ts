import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RunDetail } from '../../src/contract/run.ts'
import { bash, say, turns } from '../../src/rehearsal/lines.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { git } from '../loop/projects.ts'
import type { TempHome } from '../support/temp-home.ts'

/** A planner that writes these tasks and is done. */
export function plan(tasks: string[], more: RuleSource['when'] = {}): RuleSource[] {
  const lines = tasks.map(task => `- [ ] ${task}`).join('\n')
  const command = `cat > "$REHOBOAM_LOOP_DIR/tasks.md" <<'END'\n## Pending\n${lines}\nEND\necho '## 1' >> "$REHOBOAM_LOOP_DIR/progress.md"`
  return turns({ role: 'planner', ...more }, bash(command), say('The plan is written.\n\nPLANNING COMPLETE'))
}

/** A worker that runs a command in each iteration, and then says that it is done. */
export function worker(task: string, ...commands: string[]): RuleSource[] {
  return commands.flatMap((command, n) =>
    turns({ role: 'worker', task, iteration: n + 1 }, bash(command), say('Done as asked.\n\nDONE')),
  )
}

export const POOL = [
  ...['spawn', '--loop', '--role', 'planner', '--auto-spawn-workers', '--prompt', 'Write all the files'],
  ...['--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash'],
]

export async function shown(home: TempHome, run: string): Promise<RunDetail> {
  return JSON.parse((await home.rehoboam(['show', run, '--json'])).out)
}

/** Everything of the user's that a pool must not touch. */
export function theirs(directory: string) {
  const refs = git(directory, 'for-each-ref', '--format=%(refname) %(objectname)')
  return {
    head: [git(directory, 'rev-parse', 'HEAD'), readFileSync(join(directory, '.git/HEAD'), 'utf8')],
    refs: refs.split('\n').filter(line => !/^refs\/(rehoboam\/|heads\/rehoboam(-work)?\/)/.test(line)),
    index: git(directory, 'ls-files', '-s'),
    stash: git(directory, 'stash', 'list'),
    files: filesIn(directory)
      .sort()
      .map(path => `${path} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`),
  }
}

/** Not those of git and of ours, which come and go meanwhile. */
function filesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap(entry => {
    const path = join(directory, entry.name)
    if (!entry.isDirectory()) return entry.isFile() ? [path] : []
    return entry.name === '.git' || entry.name === '.rehoboam' ? [] : filesIn(path)
  })
}
