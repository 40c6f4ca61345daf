import { expect, test } from 'vitest'
import type { Question } from '../../src/contract/inbox.ts'
import { killDaemon } from '../daemon/processes.ts'
import { untilStatus } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { gitProject, iterations } from './projects.ts'

test('a loop that waits for a person is a question in the inbox, also after a kill of the daemon; the answer is in its next prompt [loop-blocked]', async () => {
  await using home = await tempHome({
    client: 'real',
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
  const inbox = async () => JSON.parse((await home.rehoboam(['inbox', '--json'])).out) as Question[]
  const [question] = await until(async () => ((await inbox()).length === 1 ? inbox() : null), 'the question')
  expect(question).toMatchObject({ kind: 'question', run, text: expect.stringContaining('which region') })
  await killDaemon(home)
  const [again] = await until(async () => ((await inbox()).length === 1 ? inbox() : null), 'the question again')
  expect(again?.id).toBe(question?.id)
  const answered = await home.rehoboam(['answer', question!.id, 'eu-west-1'])
  expect(answered.code).toBe(0)
  // The key that the run was started with went with the daemon.
  await untilStatus(home, run, 'paused')
  await home.rehoboam(['resume', run])
  await untilStatus(home, run, 'complete')
  const second = await home.model.waitFor(({ line }) => line.iteration === '2')
  expect(second.prompt).toContain('The answer: eu-west-1')
  expect(await inbox()).toEqual([])
})
