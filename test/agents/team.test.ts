import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { bash, say, tool, turns, use } from '../../src/rehearsal/lines.ts'
import { agentThat } from '../inbox/own-pane.ts'
import { openPane } from '../support/real-pane.ts'
import { REAL_CLIENT, tempHome } from '../support/temp-home.ts'

vi.setConfig({ testTimeout: 240_000 })

test('a teammate is shown with its team; while it works its lead is not at rest, and once it is idle the lead waits [agent-team]', async () => {
  const input = { description: 'help', name: 'alice', prompt: 'You are alice', subagent_type: 'general-purpose' }
  await using home = await tempHome({
    client: 'real',
    scenario: [
      ...turns({ prompt: 'You are alice' }, bash('touch up; until [ -e go ]; do sleep 0.05; done'), say('I am ready.')),
      ...turns({ prompt: 'begin' }, use(tool('Agent', input)), say('Alice is here.')),
      { reply: say('Noted.') },
    ],
  })
  await home.daemon.ready()
  expect((await home.rehoboam(['init'])).code).toBe(0)
  const { REHOBOAM_CLAUDE: _, ...env } = home.env
  await using pane = await openPane({
    program: [REAL_CLIENT],
    args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Agent'],
    prompt: 'begin',
    cwd: home.project,
    env: { ...env, CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
  })
  await pane.waitForText('Alice is here.', 60_000)
  const busy = await agentThat(home, ({ subagents }) => subagents === 1, 'the teammate')
  expect(['working', 'background']).toContain(busy.status)
  writeFileSync(join(home.project, 'go'), '')
  const rested = await agentThat(home, ({ status, team }) => status === 'waiting' && team !== null, 'the lead to wait')
  expect((await home.rehoboam(['show', rested.id])).out).toMatch(/alice[^\n]*idle/)
})
