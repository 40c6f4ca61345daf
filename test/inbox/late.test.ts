import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { heard, held } from './held.ts'
import { agentThat, openQuestions, questionOf } from './own-pane.ts'

test('a question stays while hooks of before it are heard, and goes with one of after it [hook-order]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
  const answer = held(home, 'make it', 'somebody')
  const { since } = await questionOf(home)
  const askedAt = Date.parse(since)
  const hook = (name: string) => ({ session_id: 'somebody', hook_event_name: name, prompt: 'go' })
  for (const [n, name] of ['UserPromptSubmit', 'SessionStart', 'SessionEnd', 'StopFailure', 'Stop'].entries()) {
    await heard(home, askedAt - n * 1_000 - 1, hook(name))
  }
  expect(await openQuestions(home)).toHaveLength(1)
  await agentThat(home, ({ status }) => status === 'attention', 'it to ask still')
  await heard(home, Date.now() + 1, hook('Stop'))
  expect(await openQuestions(home)).toEqual([])
  expect(await answer).toBe('')
})
