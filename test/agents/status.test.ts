import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NO_SURROUNDINGS } from '../../src/contract/agent.ts'
import { parseHook } from '../../src/contract/hook.ts'
import { statusOf } from '../../src/core/agent/agent-status.ts'
import { type AgentFacts, newAgent } from '../../src/core/agent/facts.ts'
import { hear } from '../../src/core/agent/hear.ts'
import { Story } from './story.ts'

test('a prompt makes it working, parallel tools are named, and a Stop lets it wait [agent-working]', () => {
  const story = new Story()
  expect(story.hook('SessionStart', { source: 'startup' }).status).toBe('waiting')
  expect(story.hook('UserPromptSubmit', { prompt: 'go' })).toMatchObject({
    status: 'working',
    reason: 'thinking for 0 s',
  })
  story.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: 'a' })
  story.hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: '/x' }, tool_use_id: 'b' })
  expect(story.after(240_000)).toMatchObject({ status: 'working', reason: 'Bash: npm test and 1 more for 4 m' })
  story.hook('PostToolUse', {
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_use_id: 'a',
    duration_ms: 9,
  })
  expect(story.now().reason).toMatch(/^Read: \/x for/)
  story.hook('PostToolUse', { tool_name: 'Read', tool_input: { file_path: '/x' }, tool_use_id: 'b', duration_ms: 1 })
  expect(story.now().status).toBe('working')
  expect(story.hook('Stop', { background_tasks: [] }).status).toBe('waiting')
})

test('a start that is heard after its end is no running tool [hook-order]', () => {
  const story = new Story()
  const call = { tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: 'a' }
  story.hook('UserPromptSubmit', { prompt: 'go' })
  story.hook('PostToolUse', { ...call, duration_ms: 9 })
  expect(story.hook('PreToolUse', call)).toMatchObject({ status: 'working', reason: 'thinking for 0 s' })
})

test('what a subagent does never changes its parent’s own status [agent-background]', () => {
  const story = new Story()
  story.hook('UserPromptSubmit', { prompt: 'go' })
  story.hook('SubagentStart', { agent_id: 's1', agent_type: 'Explore' })
  story.hook('Stop', { background_tasks: [] })
  expect(story.now().status).toBe('waiting')
  story.hook('PreToolUse', { agent_id: 's1', tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: 'z' })
  expect(story.now().status).toBe('waiting')
  story.hook('PostToolUse', { agent_id: 's1', tool_name: 'Bash', tool_input: { command: 'x' }, tool_use_id: 'z' })
  expect(story.now().status).toBe('waiting')
  expect(story.facts.subagents).toMatchObject([{ id: 's1', type: 'Explore', endedAt: null }])
  story.hook('SubagentStop', { agent_id: 's1' })
  expect(story.facts.subagents[0]?.endedAt).not.toBeNull()
  expect(story.facts.tools).toEqual([])
})

test('background work keeps it from waiting, an idle teammate does not [agent-background]', () => {
  const story = new Story()
  story.hook('UserPromptSubmit', { prompt: 'go' })
  story.hook('Stop', { background_tasks: [{ id: 'b1', type: 'shell', status: 'running', description: 'npm run dev' }] })
  expect(story.now()).toMatchObject({ status: 'background', reason: 'npm run dev' })
  story.hook('UserPromptSubmit', { prompt: '<task-notification><task-id>b1</task-id></task-notification>' })
  const mate = [{ id: 't', type: 'teammate', status: 'running', description: 'mate' }]
  story.hook('Stop', { background_tasks: mate })
  expect(story.now().status).toBe('background')
  story.hook('TeammateIdle', { agent_id: 'a', agent_type: 'alice', teammate_name: 'alice', team_name: 'team' })
  expect(story.now().status).toBe('waiting')
})

test('a permission comes before a question before a notification [agent-working]', () => {
  const story = new Story()
  story.hook('UserPromptSubmit', { prompt: 'go' })
  story.hook('Notification', { notification_type: 'elicitation_dialog', message: 'look here' })
  expect(story.now()).toMatchObject({ status: 'attention', reason: 'look here (asked 0 s ago)' })
  story.hook('PermissionRequest', {
    tool_name: 'AskUserQuestion',
    tool_input: { questions: [{ question: 'Which?' }] },
  })
  expect(story.now().reason).toBe('Which? (asked 0 s ago)')
  story.hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'rm x' } })
  expect(story.now().reason).toBe('Bash: rm x (asked 0 s ago)')
  story.hook('PostToolUse', { tool_name: 'Bash', tool_input: { command: 'rm x' }, tool_use_id: 'r' })
  expect(story.now().reason).toBe('Which? (asked 0 s ago)')
})

test('a failure says which: limit, overload, credentials [agent-failed]', () => {
  for (const [error, words] of [
    ['rate_limit', 'rate or usage limit'],
    ['server_error', 'the model is overloaded or failed'],
    ['authentication_failed', 'the credentials were refused'],
  ]) {
    const story = new Story()
    story.hook('UserPromptSubmit', { prompt: 'go' })
    story.hook('StopFailure', { error })
    story.hook('SessionEnd', { reason: 'other' })
    expect(story.now()).toMatchObject({ status: 'failed', reason: words })
    expect(story.hook('UserPromptSubmit', { prompt: 'again' }).status).toBe('working')
  }
})

test('a failure whose hook is late or lost is told by the transcript, marked as unsure, until the next prompt [agent-failed]', () => {
  const story = new Story()
  story.hook('UserPromptSubmit', { prompt: 'go' })
  story.transcript({ type: 'user', message: { role: 'user', content: 'go' } })
  const message = { role: 'assistant', id: 'm', model: '<synthetic>', stop_reason: 'stop_sequence', content: [] }
  story.transcript({ type: 'assistant', isApiErrorMessage: true, error: 'rate_limit', message })
  story.client('idle')
  const failed = { status: 'failed', reason: 'rate or usage limit' }
  expect(story.after(2_000)).toMatchObject({ ...failed, unsure: expect.stringContaining('transcript') })
  expect(story.hook('StopFailure', { error: 'rate_limit' })).toMatchObject({ ...failed, unsure: null })
  expect(story.hook('UserPromptSubmit', { prompt: 'again' }).status).toBe('working')
  story.transcript({ type: 'user', message: { role: 'user', content: 'again' } })
  expect(story.after(60_000).status).not.toBe('failed')
})

test('compaction is shown and its SessionStart changes nothing [agent-working]', () => {
  const story = new Story()
  story.hook('UserPromptSubmit', { prompt: 'go' })
  expect(story.hook('PreCompact', { trigger: 'auto' }).status).toBe('compacting')
  expect(story.hook('SessionStart', { source: 'compact' }).status).toBe('compacting')
  expect(story.hook('PostCompact', {}).status).toBe('working')
  expect(story.facts.compactions).toBe(1)
})

test('an interrupted turn, for which no Stop comes, is seen in the transcript [agent-working]', () => {
  const story = new Story()
  story.hook('UserPromptSubmit', { prompt: 'go' })
  story.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'sleep 99' }, tool_use_id: 'a' })
  story.transcript({
    type: 'user',
    message: { content: [{ type: 'text', text: '[Request interrupted by user for tool use]' }] },
  })
  expect(story.after(2_000)).toMatchObject({ status: 'waiting', unsure: null })
})

test('when hooks are lost, the client’s own note says what it does, marked as unsure [agent-drop]', () => {
  const story = new Story()
  story.hook('SessionStart', { source: 'startup' })
  story.client('busy')
  expect(story.now()).toMatchObject({ status: 'working', unsure: expect.stringContaining('no hook') })
  story.client('waiting', 'permission prompt')
  expect(story.now()).toMatchObject({ status: 'attention', reason: 'permission prompt' })
  story.client('idle')
  expect(story.after(2_000).status).toBe('waiting')
})

test('a process that vanished is gone, unless it had ended [agent-working]', () => {
  const story = new Story()
  story.hook('UserPromptSubmit', { prompt: 'go' })
  story.facts = { ...story.facts, vanishedAt: story.clock }
  expect(story.now().status).toBe('gone')
  story.hook('SessionEnd', { reason: 'clear' })
  story.facts = { ...story.facts, vanishedAt: story.clock }
  expect(story.now()).toMatchObject({ status: 'done', reason: 'ended: clear' })
})

test('every event that the real client sent is understood, and replaying them ends where it ended [agent-working]', () => {
  for (const [file, status] of [
    ['hooks.ndjson', 'done'],
    ['hooks-team.ndjson', 'done'],
  ]) {
    const lines = readFileSync(join(import.meta.dirname, '../fixtures/facts', file!), 'utf8')
      .trim()
      .split('\n')
    const events = lines.map(line => parseHook(JSON.parse(line))!)
    expect(events.every(event => event.name !== 'other')).toBe(true)
    const facts = events.reduce<AgentFacts>(
      (before, event, n) => hear(before, event, NO_SURROUNDINGS, n * 1000),
      newAgent(events[0]!.session, 0),
    )
    expect(statusOf(facts, events.length * 1000).status).toBe(status)
  }
})
