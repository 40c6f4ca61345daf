import { expect, test } from 'vitest'
import { Story } from './story.ts'

test('a teammate’s begun task stays begun when it goes idle, and one that declines to shut down is as before [agent-tasks]', () => {
  const story = new Story()
  const alice = { agent_id: 'a', agent_type: 'alice' }
  story.hook('UserPromptSubmit', { prompt: 'go' })
  story.hook('TaskCreated', { task_id: '1', task_subject: 'one' })
  story.hook('TaskCreated', { ...alice, task_id: '2', task_subject: 'two', teammate_name: 'alice' })
  story.hook('PostToolUse', { tool_name: 'TaskUpdate', tool_input: { taskId: '9', status: 'completed' } })
  story.hook('PostToolUse', { tool_name: 'TaskUpdate', tool_input: { taskId: '2', status: 'in_progress' } })
  story.hook('TaskCompleted', { ...alice, task_id: '2', task_subject: 'two', teammate_name: 'alice' })
  story.hook('TaskCompleted', { task_id: '1', task_subject: 'one' })
  const one = { id: '1', subject: 'one', done: true, begun: false, owner: '' }
  expect(story.facts.tasks).toEqual([one, { id: '2', subject: 'two', done: false, begun: true, owner: 'alice' }])

  const said = (from: object, to: string, message: object) =>
    story.hook('PostToolUse', { ...from, tool_name: 'SendMessage', tool_input: { to, message } })
  story.hook('TeammateIdle', { ...alice, teammate_name: 'alice', team_name: 'team' })
  said({}, 'alice', { type: 'shutdown_request' })
  expect(story.facts.mates).toMatchObject([{ name: 'alice', shutdownAsked: true }])
  said(alice, 'team-lead', { type: 'shutdown_response', approve: false })
  expect(story.facts.mates).toMatchObject([{ name: 'alice', shutdownAsked: false }])
})
