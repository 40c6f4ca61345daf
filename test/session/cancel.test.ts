import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { isRunning, sessionProcessesOf } from '../daemon/processes.ts'
import { rigging } from '../daemon/rigged.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { homeWithGuests } from './guest.ts'
import {
  cancel,
  eventTypes,
  linesOf,
  questions,
  scriptClient,
  show,
  spawnRun,
  tell,
  untilLine,
  untilStatus,
} from './runs.ts'

const guest = homeWithGuests({ client: 'either' })
const daemons = rigging()
const HANGING = turns({}, say('Done.', { fault: { kind: 'hang', name: 'hold' } }))

test('cancel ends the session, and the run is cancelled with that cause [session-cancel]', async () => {
  await using home = await guest(HANGING)
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  expect(await home.rehoboam(['cancel', run])).toMatchObject({
    code: 0,
    out: `run ${run} is being cancelled\n`,
    err: '',
  })
  expect(await untilStatus(home, run, 'cancelled')).toMatchObject({ cause: 'cancelled', endedAt: expect.any(String) })
  await nothingLeft(home)

  const again = await home.rehoboam(['cancel', run])
  expect([again.code, again.err]).toEqual([1, `rehoboam: run ${run} has ended (cancelled)\n`])
})

test('cancel leaves nothing running: not a client that ignores TERM, nor what left its process group [session-cancel]', async () => {
  await using home = await guest()
  const client = scriptClient(
    home,
    'stubborn-client',
    `trap '' TERM INT HUP
     setsid sh -c 'trap "" TERM; echo $$ > away; while :; do sleep 0.05; done' &
     (setsid setsid sh -c 'echo $$ > further; exec sleep 1000' &)
     env -i PATH="$PATH" setsid sh -c 'echo $$ > bare; exec sleep 1000' &
     echo $$ > here
     while :; do sleep 0.05; done`,
  )
  const env = { REHOBOAM_CLAUDE: client, REHOBOAM_SESSION_END_GRACE_SEC: '1' }
  const run = await spawnRun(home, 'Do it', { env })
  const bare = Number(await untilLine(home.project, 'bare'))
  for (const name of ['away', 'further', 'here']) await untilLine(home.project, name)
  await cancel(home, run)
  expect(await untilStatus(home, run, 'cancelled')).toMatchObject({ cause: 'cancelled' })
  // When the run is said to have ended, it has.
  expect(sessionProcessesOf(home)).toEqual([])
  expect(isRunning(bare)).toBe(false)
})

test('a command that an agent left running is ended with the session that started it [session-leaves-nothing]', async () => {
  // The session may end as soon as its tool does, and with it what the tool has just started.
  const up = 'until [ -s left ]; do sleep 0.05; done'
  const leaves = bash(`(setsid sh -c "echo up > left; exec sleep 1000" >/dev/null 2>&1 &); ${up}`)
  await using home = await guest(turns({}, leaves, say('Done.')))
  const run = await spawnRun(home, 'Start something and go')
  await untilStatus(home, run, 'complete')
  expect(linesOf(home.project, 'left')).toEqual(['up'])
  await nothingLeft(home)
})

test('a run that waits for a place is cancelled without ever having started [session-cancel]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  home.env.REHOBOAM_SESSIONS_MAX = '1'
  const first = await spawnRun(home, 'First')
  await home.model.waitFor(() => true)
  const second = await spawnRun(home, 'Second')
  expect(await show(home, second)).toMatchObject({ status: 'active', sentence: 'the session is being started' })
  await cancel(home, second)
  expect(await untilStatus(home, second, 'cancelled')).toMatchObject({ cause: 'cancelled' })

  home.model.release('hold')
  await untilStatus(home, first, 'complete')
  expect(questions(home).map(({ line }) => line.run)).toEqual([first])
  expect(eventTypes(home, second)).not.toContain('reported-init')
})

test('a run that is cancelled at the very moment of its start has no session left [session-cancel]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  const go = join(home.root, 'go')
  await daemons.start(home, 'start-held', go)
  const run = await spawnRun(home, 'Do it')
  await cancel(home, run)
  await until(() => eventTypes(home, run).includes('session-end-delivered'), 'the cancel to have gone through')
  writeFileSync(go, '')
  await untilStatus(home, run, 'cancelled')
  await nothingLeft(home)
  expect(questions(home)).toEqual([])
})

test('a run that is cancelled between two turns starts no further one [session-cancel]', async () => {
  await using home = await guest(HANGING)
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  await tell(home, run, 'And this')
  await cancel(home, run)
  await untilStatus(home, run, 'cancelled')
  await nothingLeft(home)
  expect(questions(home)).toHaveLength(1)
  expect(linesOf(home.home, 'runs', run, 'turns', '2', 'prompt.md')).toEqual([])
})

async function nothingLeft(home: TempHome): Promise<void> {
  await until(() => sessionProcessesOf(home).length === 0, 'everything of the session to be gone')
}
