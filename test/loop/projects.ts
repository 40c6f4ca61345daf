import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { linesOf } from '../session/runs.ts'
import type { TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

/** A repository with one commit, as somebody has it. */
export function gitProject(directory: string, files: Record<string, string> = { 'README.md': 'hello\n' }): void {
  git(directory, 'init', '-q', '-b', 'main')
  git(directory, 'config', 'user.email', 'somebody@example.org')
  git(directory, 'config', 'user.name', 'Somebody')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  git(directory, 'add', '-A')
  git(directory, 'commit', '-qm', 'the beginning')
}

export function git(directory: string, ...words: string[]): string {
  return execFileSync('git', words, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** One iteration after the other: each runs its command, and then says its words. */
export function iterations(...each: { runs: string; says: string }[]): RuleSource[] {
  return each.flatMap(({ runs, says }, n) => turns({ iteration: n + 1 }, bash(runs), say(says)))
}

/** For a home in which several loops run: whose iteration it is stands in the anchor, which is in every prompt. */
export function iterationsOf(anchor: string, ...each: { runs: string; says: string }[]): RuleSource[] {
  return each.flatMap(({ runs, says }, n) => turns({ iteration: n + 1, prompt: anchor }, bash(runs), say(says)))
}

/** The logs of a loop directory are written beside the run, not before its end is told: this line is the last of them. */
export async function untilLogged(directory: string, words: string): Promise<void> {
  const last = () => linesOf(directory, '.rehoboam', 'session_history.log').at(-1)
  await until(() => last()?.endsWith(words), `"${words}" in the log`)
}

/** Starts a loop in a directory; gives its id. */
export async function spawnLoop(home: TempHome, directory: string, anchor: string, args: string[] = ['--no-ward']) {
  const words = [
    'spawn',
    '--loop',
    '--prompt',
    anchor,
    '--dir',
    directory,
    '--permission-mode',
    'acceptEdits',
    '--allowed-tools',
    'Bash,Agent',
    ...args,
  ]
  const ended = await home.rehoboam(words)
  if (ended.code !== 0) throw new Error(`spawn ended with ${ended.code}: ${ended.err}`)
  return ended.out.trim()
}
