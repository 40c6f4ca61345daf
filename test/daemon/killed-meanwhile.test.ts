import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { linesOf } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { rigging } from './rigged.ts'

const daemons = rigging()
const SPAWN_AND_WAIT = ['spawn', '--prompt', 'Do it', '--allowed-tools', 'Bash', '--wait']

test('a spawn whose answer was lost is sent again: one run, with the credentials that came along again [daemon-spawn-again]', async () => {
  await using home = await tempHome({ scenario: turns({}, bash('echo once >> done'), say('Done.')) })
  const first = await daemons.start(home, 'die-after', 'run-created')
  const ended = await home.rehoboam(SPAWN_AND_WAIT)

  expect(await first.ended).toBe('SIGKILL')
  expect(ended).toMatchObject({ code: 0, err: '' })
  expect(home.runs()).toHaveLength(1)
  expect(linesOf(home.project, 'done')).toEqual(['once'])
})
