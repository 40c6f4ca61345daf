import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LoopRequest } from '../../src/contract/api.ts'
import { ENDED, type RunDetail, type RunStanding } from '../../src/contract/run.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { git, gitProject } from '../loop/projects.ts'
import { postRun } from '../session/runs.ts'
import type { TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

/** A repository of its own for one test of several that share a home. */
export function projectIn(home: TempHome, name: string, files?: Record<string, string>): string {
  const directory = join(home.root, name)
  mkdirSync(directory)
  gitProject(directory, files)
  return directory
}

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

export type PoolAsked = Partial<LoopRequest> & {
  directory?: string
  flags?: Record<string, string>
  prompt?: string
  noQuestions?: boolean
}

/** Starts a pool without checks as the command POOL does, without a process for it. Returns its id. */
export function startPool(home: TempHome, asked: PoolAsked = {}): Promise<string> {
  const { directory = home.project, flags = {}, prompt = 'Write all the files', noQuestions = false, ...loop } = asked
  return postRun(home, {
    prompt,
    directory,
    flags: { permissionMode: 'acceptEdits', allowedTools: 'Bash', ...flags },
    loop: {
      role: 'planner',
      autoSpawn: true,
      ward: [],
      judgePrompt: null,
      acceptRedBase: false,
      agreed: null,
      ...loop,
    },
    noQuestions,
  })
}

export function shown(home: TempHome, run: string): Promise<RunDetail> {
  return home.daemon.ask<RunDetail>({ path: `/v1/runs/${run}` })
}

export async function command(
  home: TempHome,
  run: string,
  what: 'pause' | 'resume' | 'cancel' | 'tell',
  text: string | null = null,
): Promise<void> {
  const body = what === 'resume' ? { text, environment: home.env } : what === 'tell' ? { text } : {}
  await home.daemon.ask({ method: 'POST', path: `/v1/runs/${run}/${what}`, body })
}

/** Waits until the run has ended. */
export async function untilEnd(home: TempHome, run: string): Promise<RunDetail> {
  const standing = () => home.daemon.ask<RunStanding>({ path: `/v1/runs/${run}/standing` })
  await until(async () => ENDED.has((await standing()).status), `run ${run} to end`, 600_000)
  return shown(home, run)
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
