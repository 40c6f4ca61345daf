import { expect, test } from 'vitest'
import { killDaemon } from '../daemon/processes.ts'
import { asking, inboxOf } from '../inbox/scene.ts'
import { untilStatus } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { gitProject, iterations } from './projects.ts'

test('a loop that waits for a person is a question in the inbox, also after a kill of the daemon; the answer is in its next prompt [loop-blocked] [inbox-paused]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: iterations(
      { runs: 'echo 1 > a', says: 'I cannot go on: please tell me which region to use. Waiting for your answer.' },
      { runs: 'echo 2 > a', says: 'It is in place.\n\nDONE' },
    ),
  })
  gitProject(home.project)
  const spawned = await home.rehoboam([
    ...['spawn', '--loop', '--prompt', 'Deploy it', '--allowed-tools', 'Bash', '--no-ward'],
  ])
  const run = spawned.out.trim()
  await untilStatus(home, run, 'blocked')
  const question = await asking(home)
  expect(question).toMatchObject({ kind: 'question', run, text: expect.stringContaining('which region') })
  await killDaemon(home)
  expect((await asking(home)).id).toBe(question.id)
  const answered = await home.rehoboam(['answer', question.id, 'eu-west-1'])
  expect(answered.code).toBe(0)
  // The key that the run was started with went with the daemon.
  await untilStatus(home, run, 'paused')
  expect(await asking(home)).toMatchObject({
    kind: 'environment',
    run,
    text: expect.stringMatching(new RegExp(`are gone: ANTHROPIC_API_KEY; .*rehoboam resume ${run} goes on`)),
  })
  await home.rehoboam(['resume', run])
  await untilStatus(home, run, 'complete')
  const second = await home.model.waitFor(({ line }) => line.iteration === '2')
  expect(second.prompt).toContain('The answer: eu-west-1')
  expect(await inboxOf(home)).toEqual([])
})
