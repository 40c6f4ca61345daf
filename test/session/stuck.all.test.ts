import { expect, test } from 'vitest'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { rigging } from '../daemon/rigged.ts'
import { asking } from '../inbox/scene.ts'
import { gitProject, spawnLoop } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { eventsOf, questions, show, untilStatus } from './runs.ts'

const daemons = rigging()
const SILENT = say('', { fault: { kind: 'hang' } })

test('a loop whose session is stuck twice is blocked, with a question in the inbox; the answer begins the iteration anew [session-stuck]', async () => {
  await using home = await tempHome({
    scenario: [...turns({ prompt: 'try the other server' }, say('It works.\n\nDONE')), { reply: SILENT }],
  })
  gitProject(home.project)
  const letTimePass = await daemons.hurrying(home, 'session-stuck')
  const run = await spawnLoop(home, home.project, 'Do it')
  for (const times of [1, 2]) {
    await until(() => questions(home).length === times, 'the model to be asked')
    await letTimePass()
  }
  expect(await untilStatus(home, run, 'blocked')).toMatchObject({ cause: 'stuck', iteration: 1 })
  expect(eventsOf(home, run, 'session-stuck')).toHaveLength(2)
  const question = await asking(home)
  expect(question).toMatchObject({ kind: 'stall', run, text: expect.stringContaining('said and did nothing') })
  expect(await home.rehoboam(['answer', question.id, 'try the other server'])).toMatchObject({ code: 0 })
  await untilStatus(home, run, 'complete')
  expect(await show(home, run)).toMatchObject({ cause: 'stop-word', iteration: 1 })
})
