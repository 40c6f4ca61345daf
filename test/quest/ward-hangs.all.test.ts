import { expect, test } from 'vitest'
import { bash } from '../../src/rehearsal/replies.ts'
import { gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { begins, complete, plays, rests, simply, startQuest } from './story.ts'

const SCENARIO = [
  ...begins([{ id: 'slow' }]),
  ...plays('codeweaver', 'slow', null, bash('echo slow > slow.txt; touch hangs'), complete('slow')),
  ...plays('spiritmender', 'slow', null, bash('rm -f hangs'), complete('slow')),
  ...simply(['slow']),
]

// A minute: also on a busy machine every check but the one that hangs ends before that.
const flags = { 'ward.timeLimitSec': '60' }

test('a check of a quest that hangs is red after its time limit, and the step is mended [quest-trouble]', async () => {
  await using home = await tempHome({ client: 'either', scenario: SCENARIO })
  gitProject(home.project, { 'README.md': 'hello\n' })
  const run = await startQuest(home, { ward: ['if [ -e hangs ]; then sleep 1000; fi'], flags })
  const found = await rests(home, run)
  expect(found).toMatchObject({ status: 'complete', proven: true })
  const results = found.quest!.wards.filter(({ on }) => on === 'step').map(({ result }) => result)
  expect(results).toEqual(['red', 'green'])
}, 1_500_000)
