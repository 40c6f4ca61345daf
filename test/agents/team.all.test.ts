import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentSummary } from '../../src/contract/agent.ts'
import type { AgentDetail } from '../../src/contract/agent-detail.ts'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { agentThat } from '../inbox/own-pane.ts'
import { openPane, typed } from '../support/real-pane.ts'
import { REAL_CLIENT, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

const ALICE = { description: 'help', name: 'alice', prompt: 'You are alice', subagent_type: 'general-purpose' }
const create = (subject: string) => tool('TaskCreate', { subject, description: 'x' })
const update = (taskId: string, change: Record<string, string>) => tool('TaskUpdate', { taskId, ...change })
const send = (to: string, message: Record<string, string | boolean>) => use(tool('SendMessage', { to, message }))
const held = (name: string) => bash(`touch up-${name}; until [ -e go-${name} ]; do sleep 0.05; done`)

function shown(home: TempHome, agent: string, isSo: (detail: AgentDetail) => boolean, what: string) {
  return until(async () => {
    const detail = await home.daemon.ask<AgentDetail>({ path: `/v1/agents/${agent}` })
    return isSo(detail) ? detail : null
  }, what)
}

test('a teammate, the tasks of its team and its shutdown are shown as they are; while it works its lead is not at rest, and once it is idle the lead waits [agent-team] [agent-tasks]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [
      ...turns({ prompt: 'This is a shutdown request' }, held('end')),
      ...turns({ prompt: 'You are alice' }, use(create('of alice')), use(update('4', { status: 'completed' })), held('work'), say('I am ready.')), // biome-ignore format: one call
      ...turns({ prompt: 'begin' }, use(create('first'), create('second'), create('third')), use(update('1', { status: 'completed' }), update('3', { status: 'deleted' }), update('2', { status: 'in_progress', owner: 'alice' }), tool('Agent', ALICE)), say('Alice is here.')), // biome-ignore format: one call
      ...turns({ prompt: 'let her go' }, send('alice', { type: 'shutdown_request' }), say('Asked.')),
      { reply: say('Noted.') },
    ],
  })
  await home.daemon.ready()
  expect((await home.rehoboam(['init'])).code).toBe(0)
  const { REHOBOAM_CLAUDE: _, ...env } = home.env
  await using pane = await openPane({
    program: [REAL_CLIENT],
    args: ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Agent,TaskCreate,TaskUpdate,SendMessage'],
    prompt: 'begin',
    cwd: home.project,
    env: { ...env, CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' },
  })
  await pane.waitForText('Alice is here.')
  // Hooks of somebody's own session are heard in any order, so both are waited for together.
  const isBusy = ({ subagents, status }: AgentSummary) =>
    subagents === 1 && (status === 'working' || status === 'background')
  await agentThat(home, isBusy, 'the teammate at work and its lead not at rest')
  writeFileSync(join(home.project, 'go-work'), '')
  const rested = await agentThat(home, ({ status, team }) => status === 'waiting' && team !== null, 'the lead to wait')
  const isDone = ({ mates, tasks }: AgentDetail) =>
    mates[0]?.idle === true && tasks.some(({ subject, done }) => subject === 'of alice' && done)
  await shown(home, rested.id, isDone, 'what the team did')
  const { out } = await home.rehoboam(['show', rested.id])
  expect(out).toMatch(/alice[^\n]*idle/)
  // What she has begun is not done because she is idle, though the client says TaskCompleted of it then.
  expect(out).toContain('tasks\n  [x] first\n  [~] second (alice)\n  [x] of alice (alice)\n')

  await typed(pane, 'let her go')
  const asked = await home.model.waitFor(({ prompt }) => prompt.includes('This is a shutdown request'))
  await shown(home, rested.id, ({ mates }) => mates[0]?.shutdownAsked === true, 'the request')
  expect((await home.rehoboam(['show', rested.id])).out).toMatch(/alice[^\n]*, asked to shut down/)
  const request_id = /"requestId":"(shutdown-[^"]+)"/.exec(asked.prompt)![1]!
  const approve = send('team-lead', { type: 'shutdown_response', request_id, approve: true })
  home.model.says({ when: { prompt: 'This is a shutdown request', turn: 1 }, reply: approve, times: 1 })
  writeFileSync(join(home.project, 'go-end'), '')
  await shown(home, rested.id, ({ mates, status }) => mates.length === 0 && status === 'waiting', 'her end')
})
