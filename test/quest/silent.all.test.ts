import { expect, test } from 'vitest'
import { bash, say } from '../../src/rehearsal/replies.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { git, gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { signalAs } from './signal-as.ts'
import { answered, begins, complete, plays, questionOn, rests, shown, simply, startQuest, untilStep } from './story.ts'

const SILENT = say('', { fault: { kind: 'hang' } })
const SCENARIO = [
  ...begins([{ id: 'mute' }, { id: 'other' }]),
  // Says nothing at all, twice.
  ...[1, 2].map(attempt => ({ when: { role: 'codeweaver', step: 'mute', attempt, turn: 0 }, reply: SILENT })),
  ...plays('codeweaver', 'mute', null, bash('echo mute > mute.txt'), complete('mute')),
  ...simply(['mute', 'other']),
]

test('a silent session of a quest is ended, resumed once, then a person is asked, and the answer resumes it [quest-faults]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  gitProject(home.project, { 'README.md': 'hello\n' })
  // A minute: longer than a client needs to come up on a busy machine.
  const flags = { 'session.stuckAfterSec': '60', 'session.endGraceSec': '1' }
  const run = await startQuest(home, { ward: ['true'], flags })
  const sessionsOf = async (step: string) =>
    (await shown(home, run)).quest!.sessions.filter(one => one.step === step && one.role === 'codeweaver')

  // The step beside it is complete, whatever becomes of the silent one.
  await untilStep(home, run, 'other', 'complete')
  await untilStep(home, run, 'mute', 'asking')
  const question = await questionOn(home, run, 'mute')
  expect(question).toMatchObject({ kind: 'stall', text: expect.stringContaining('said and did nothing') })
  const [silent] = await sessionsOf('mute')
  expect(silent).toMatchObject({ how: 'stuck' })
  expect((await rests(home, run)).status).toBe('blocked')
  await until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
  const late = { signal: 'complete', stepId: 'mute', summary: 'done' }
  expect(await signalAs(home, silent!.id, late)).toMatch(/^refused: .*your session has ended/)

  await answered(home, run, question, 'Say something.')
  expect(await rests(home, run)).toMatchObject({ status: 'complete', proven: true })
  expect(await sessionsOf('mute')).toMatchObject([{ id: silent!.id, how: 'complete' }])
  const files = git(home.project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`).trim().split('\n')
  expect(files).toEqual(['README.md', 'mute.txt', 'other.txt'])
  await until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
}, 1_500_000)
