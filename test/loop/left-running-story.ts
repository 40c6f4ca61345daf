import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { show } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { gitProject } from './projects.ts'

export const LOOP = [
  'spawn',
  '--loop',
  '--prompt',
  'Go',
  '--permission-mode',
  'acceptEdits',
  '--allowed-tools',
  'Bash,Agent',
  '--no-ward',
  '--wait',
  '--driver',
]
const server = tool('Bash', {
  command: 'while :; do sleep 0.1; done',
  run_in_background: true,
  description: 'the dev server',
})

/** A loop whose agent starts a dev server in the background and ends its turn. */
export async function playDevServer(driver: 'headless' | 'pane'): Promise<void> {
  await using home = await tempHome({
    client: driver === 'pane' ? 'real' : 'either',
    scenario: turns({ iteration: 1 }, use(server), say('It runs.\n\nDONE')),
  })
  gitProject(home.project)
  const ended = await home.rehoboam([...LOOP, driver], { REHOBOAM_SESSION_BACKGROUND_GRACE_SEC: '4' })
  expect([ended.code, ended.err]).toEqual([0, expect.any(String)])
  const [run = ''] = home.runs()
  const { cause, iteration, notes } = await show(home, run)
  expect([cause, iteration, notes.join('\n')]).toEqual(['stop-word', 1, expect.stringContaining('the dev server')])
  const log = () => readFileSync(join(home.project, '.rehoboam/session_history.log'), 'utf8')
  await until(
    () => log().includes('iteration 1 left tasks running in the background, which were ended: the dev server'),
    'the log',
  )
  await until(() => sessionProcessesOf(home).length === 0, 'the server to be gone')
}
