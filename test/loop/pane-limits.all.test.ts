import { expect, test } from 'vitest'
import { bash, rateLimited, say, turns } from '../../src/rehearsal/replies.ts'
import { clientOf } from '../daemon/processes.ts'
import { eventsOf, linesOf, show, untilRun, untilStatus } from '../session/runs.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { gitProject, spawnLoop } from './projects.ts'

const PANE = ['--driver', 'pane', '--no-ward']
const SILENT = say('', { fault: { kind: 'hang' } })

test('in a pane, an iteration that has spent all is ended in the middle of its turn, by what its transcript says; a session too [loop-pane-budget]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: turns({}, bash('echo 1'), bash('echo 2'), SILENT),
  })
  gitProject(home.project)
  const loop = await spawnLoop(home, home.project, 'Go', [...PANE, '--max-cost', '0.001'])
  const alone = ['spawn', '--prompt', 'Go', '--driver', 'pane', '--allowed-tools', 'Bash', '--max-cost', '0.001']
  const session = (await home.rehoboam(alone)).out.trim()
  for (const run of [loop, session]) {
    const { cause, costUsd } = await untilStatus(home, run, 'over-budget')
    expect([cause, costUsd >= 0.001, costUsd < 0.01]).toEqual(['max-cost', true, true])
  }
  expect((await show(home, loop)).loop?.iterations).toMatchObject([{ iteration: 1, outcome: 'cut-off' }])
})

test('in a pane, a limit of the account is waited for and is no iteration; a client that is killed goes on in the same pane and iteration [loop-limit] [loop-crash]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [
      { when: { prompt: 'Limited' }, reply: rateLimited({ resetInSeconds: 3600 }) },
      ...turns({ prompt: 'Killed', attempt: 1 }, bash('echo once >> done'), SILENT),
      ...turns({ attempt: 2 }, say('All is there.\n\nDONE')),
    ],
  })
  gitProject(home.project)
  const limited = await spawnLoop(home, home.project, 'Limited', PANE)
  const waiting = await untilRun(home, limited, ({ sentence }) => sentence.startsWith('waits for a limit'), 'the wait')
  expect(waiting).toMatchObject({ status: 'active', iteration: 1 })
  expect(eventsOf(home, limited, 'iteration-closed')).toEqual([])
  await home.rehoboam(['cancel', limited])
  await untilStatus(home, limited, 'cancelled')

  const killed = await spawnLoop(home, home.project, 'Killed', PANE)
  await home.model.waitFor(({ line, turn }) => line.run === killed && turn === 1)
  const pid = await until(() => eventsOf(home, killed, 'session-started')[0]?.pid, 'the start')
  kill(clientOf(pid))
  expect(await untilStatus(home, killed, 'complete')).toMatchObject({ cause: 'stop-word', iteration: 1 })
  expect(eventsOf(home, killed, 'iteration-prepared')).toHaveLength(1)
  expect(linesOf(home.project, 'done')).toEqual(['once'])
})
