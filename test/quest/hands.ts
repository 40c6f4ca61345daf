import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { say } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { git, gitProject } from '../loop/projects.ts'
import { scriptClient } from '../session/runs.ts'
import { PUPPET, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { signals } from './story.ts'

/** A quest whose sessions hang until a person does something. */

export const ASKS = signals({ signal: 'needs-user-input', question: 'Blue or green?', context: '' }, 'one')

export const hangs = (step: string, attempt: number): RuleSource => ({
  when: { role: 'codeweaver', step, attempt, turn: 0 },
  reply: say('', { fault: { kind: 'hang' } }),
})

/** Its client has its key from elsewhere: what it needs is not lost with a daemon. `client`: what its shell runs before. */
export async function handsHome(scenario: RuleSource[], client = ''): Promise<TempHome> {
  const home = await tempHome({ scenario })
  delete home.env.ANTHROPIC_API_KEY
  const script = ['export ANTHROPIC_API_KEY=rehearsal IS_SANDBOX=1', client, `exec '${PUPPET}' "$@"`]
  home.env.REHOBOAM_CLAUDE = scriptClient(home, 'client', script.join('\n'))
  gitProject(home.project, { 'README.md': 'hello\n' })
  return home
}

export function untilSessionsGone(home: TempHome): Promise<boolean> {
  return until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
}

/** What is in stays in, what is not is on its branch. No process is left, and no worktree that is thrown away. */
export async function expectCancelled(home: TempHome, run: string, files: string[]): Promise<void> {
  await untilSessionsGone(home)
  const worktrees = () => readdirSync(join(home.home, 'worktrees')).filter(name => !name.endsWith('.json'))
  await until(() => worktrees().every(name => !/-s\d+$/.test(name)), 'disposable worktrees to be gone')
  expect(branchesOf(home)).toEqual([`rehoboam-work/${run}/two`, `rehoboam/${run}`])
  expect(git(home.project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`)).toBe(`${files.join('\n')}\n`)
}

export function branchesOf(home: TempHome): string[] {
  const listed = git(home.project, 'branch', '--list', '--format=%(refname:short)', 'rehoboam*')
  return listed.split('\n').filter(Boolean)
}
