import { expect, test } from 'vitest'
import { bash } from '../../src/rehearsal/replies.ts'
import { gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { answered, begins, complete, plans, plays, questionOn, rests, simply, startQuest } from './story.ts'

const SCENARIO = [
  // Red, however often it is mended, before the new plan and after it; until somebody helps.
  ...plays('pathseeker', 'plan', 2, plans([{ id: 'part', text: 'Less of it' }, { id: 'rest', dependsOn: ['part'] }]), complete('plan')), // biome-ignore format: one line
  ...begins([{ id: 'part' }]),
  ...plays('codeweaver', 'part', null, bash('echo part > part.txt; touch broken'), complete('part')),
  ...plays('spiritmender', 'part', 5, bash('rm broken'), complete('part')),
  ...simply(['part', 'rest']),
]

test('a third red plans the step anew, three more ask a person, whose answer reaches the Spiritmender [quest-resplit]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  gitProject(home.project, { 'README.md': 'hello\n' })
  const run = await startQuest(home, { ward: ['test ! -e broken'] })

  const question = await questionOn(home, run, 'part')
  expect(question).toMatchObject({ kind: 'ward', text: expect.stringContaining('red 3 times in a row') })
  const blocked = (await rests(home, run)).quest!
  expect(blocked.wards.filter(({ on }) => on === 'step').map(({ result }) => result)).toEqual(Array(6).fill('red'))
  expect(blocked.sessions.slice(2).map(({ role }) => role)).toEqual([
    ...['codeweaver', 'spiritmender', 'spiritmender', 'pathseeker'],
    ...['codeweaver', 'spiritmender', 'spiritmender'],
  ])
  const planner = await home.model.waitFor(({ line }) => line.role === 'pathseeker' && line.attempt === '2')
  expect(planner.prompt).toMatch(/The checks of one step stay red[\s\S]*Do the part part/)
  const anew = await home.model.waitFor(({ line }) => line.role === 'codeweaver' && line.attempt === '2')
  expect(anew.prompt).toMatch(/The checks of this step stayed red[\s\S]*Less of it/)

  await answered(home, run, question, 'Take the broken thing away.')
  expect(await rests(home, run)).toMatchObject({ status: 'complete', proven: true, steps: { total: 2, complete: 2 } })
  const mender = await home.model.waitFor(({ line }) => line.role === 'spiritmender' && line.attempt === '5')
  expect(mender.prompt).toContain('Take the broken thing away.')
}, 1_500_000)
