import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { gitProject, spawnLoop } from '../loop/projects.ts'
import { eventsOf, linesOf, loggedInClient, untilRun } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { sessionProcessesOf } from './processes.ts'
import { rigging } from './rigged.ts'

const daemons = rigging()
const SPAWN_AND_WAIT = ['spawn', '--prompt', 'Do it', '--allowed-tools', 'Bash', '--wait']

test('a session that was started before the kill is not said to lack what it was started with [session-needs-environment]', async () => {
  await using home = await tempHome({ scenario: turns({}, say('Done.')) })
  await daemons.start(home, 'die-starting', 'claimed')
  const ended = await home.rehoboam(SPAWN_AND_WAIT, { MY_OWN: 'kept in memory' })

  expect(ended).toMatchObject({ code: 0, err: '' })
  const [run = ''] = home.runs()
  expect(eventsOf(home, run, 'session-started')[0]?.without).toEqual([])
})

test('what a session left running is gone also when the daemon dies the moment its end is written down [session-leaves-nothing]', async () => {
  await using home = await tempHome({
    scenario: turns({}, bash('(setsid sleep 1000 >/dev/null 2>&1 &)'), say('Done.')),
  })
  await daemons.start(home, 'die-after', 'session-ended')
  const ended = await home.rehoboam(SPAWN_AND_WAIT, loggedInClient(home))
  expect(ended).toMatchObject({ code: 0, err: '' })
  await until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
})

test('a changed anchor counts also when the daemon dies between putting it back and writing that down [loop-anchor]', async () => {
  const changes = 'chmod u+w .rehoboam/anchor.md; echo easier > .rehoboam/anchor.md'
  await using home = await tempHome({
    scenario: turns({ iteration: 1 }, bash(changes), say('More to do.')),
  })
  gitProject(home.project)
  const first = await daemons.start(home, 'die-before', 'iteration-closed')
  const run = await spawnLoop(home, home.project, 'Three lines')
  expect(await first.ended).toBe('SIGKILL')
  expect(linesOf(home.project, '.rehoboam', 'anchor.md')).toEqual(['Three lines'])
  await home.daemon.ready()
  const isSaid = (note: string) => note.includes('anchor.md was changed and is restored')
  await untilRun(home, run, ({ notes }) => notes.some(isSaid), 'its end to be written down')
  expect(eventsOf(home, run, 'iteration-closed').map(({ facts }) => facts.anchorChanged)).toEqual([true])
  expect(linesOf(home.project, '.rehoboam', 'guardrails.md').join()).toContain('Never change anchor.md')
})
