import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { kill, type Running, type TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { homeWithGuests } from './guest.ts'
import { eventTypes, scriptClient, show, untilLine, untilStatus } from './runs.ts'

const guest = homeWithGuests({ client: 'either' })
const HANGING = turns({}, say('Done.', { fault: { kind: 'hang' } }))

test('Ctrl-C on a command that waits cancels the run, code 130, and nothing is left running [cli-interrupt]', async () => {
  await using home = await guest(turns({}, bash('echo up > up; while :; do sleep 0.1; done'), say('Never.')))
  const waiting = startWaiting(home)
  await untilLine(home.project, 'up')
  await untilFollows(waiting)
  waiting.child.kill('SIGINT')
  const ended = await waiting.ended
  expect([ended.code, ended.err]).toEqual([130, expect.stringMatching(/^cancelling; again to leave at once/)])
  expect(ended.out).toContain('cancelled: somebody cancelled it')
  expect(ended.out).not.toContain('cut off')
  expect(await show(home, home.runs()[0]!)).toMatchObject({ status: 'cancelled', cause: 'cancelled' })
  expect(sessionProcessesOf(home)).toEqual([])
})

test('a second Ctrl-C leaves at once, and the run ends all the same [cli-interrupt]', async () => {
  await using home = await guest()
  const lines = "trap '' TERM; echo up > up; until [ -e go ]; do sleep 0.05; done"
  const client = scriptClient(home, 'stubborn-client', lines)
  const waiting = startWaiting(home, { REHOBOAM_CLAUDE: client, REHOBOAM_SESSION_END_GRACE_SEC: '300' })
  await untilLine(home.project, 'up')
  await untilFollows(waiting)
  const [run = ''] = home.runs()
  waiting.child.kill('SIGINT')
  await until(() => eventTypes(home, run).includes('cancel-requested'), 'the first to be heard')
  waiting.child.kill('SIGINT')
  expect((await waiting.ended).code).toBe(130)
  expect((await show(home, run)).status).toBe('active')
  writeFileSync(join(home.project, 'go'), '')
  await untilStatus(home, run, 'cancelled')
})

test('a second Ctrl-C that is faster than the cancel leaves when the daemon has heard it [cli-interrupt]', async () => {
  await using home = await guest(HANGING)
  const waiting = startWaiting(home)
  await home.model.waitFor(() => true)
  await untilFollows(waiting)
  using daemon = stoppedDaemon(home)
  waiting.child.kill('SIGINT')
  await until(() => waiting.err().includes('cancelling'), 'the first to be seen')
  waiting.child.kill('SIGINT')
  await until(() => waiting.err().includes('leaving as soon as it has'), 'the second to be seen')
  daemon.continue()
  expect((await waiting.ended).code).toBe(130)
  await untilStatus(home, home.runs()[0]!, 'cancelled')
})

test('a third Ctrl-C leaves at once, whatever the daemon does [cli-interrupt]', async () => {
  await using home = await guest(HANGING)
  const waiting = startWaiting(home)
  await home.model.waitFor(() => true)
  await untilFollows(waiting)
  using _stopped = stoppedDaemon(home)
  waiting.child.kill('SIGINT')
  await until(() => waiting.err().includes('cancelling'), 'the first to be seen')
  waiting.child.kill('SIGINT')
  await until(() => waiting.err().includes('again to leave now'), 'the second to be seen')
  waiting.child.kill('SIGINT')
  expect((await waiting.ended).code).toBe(130)
})

test('a closed terminal ends the command that waits and leaves the run running [wait-hangup] [cli-interrupt]', async () => {
  await using home = await guest(HANGING)
  const waiting = startWaiting(home)
  await home.model.waitFor(() => true)
  await untilFollows(waiting)
  waiting.child.kill('SIGHUP')
  expect(await waiting.ended).toMatchObject({ signal: 'SIGHUP' })
  const [run = ''] = home.runs()
  expect(await show(home, run)).toMatchObject({ status: 'active' })
  home.model.release()
  await untilStatus(home, run, 'complete')
})

function startWaiting(home: TempHome, env: Record<string, string> = {}): Running {
  const words = ['spawn', '--prompt', 'Do it', '--allowed-tools', 'Bash', '--dir', home.project, '--wait']
  return home.start(words, env)
}

/** It prints what it follows: from before that on it hears Ctrl-C. The session may be quicker. */
async function untilFollows(waiting: Running): Promise<void> {
  await until(() => waiting.out() !== '', 'the command to follow its run')
}

/** Stops the daemon until the test ends, also when it fails: others need it afterwards. */
function stoppedDaemon(home: Pick<TempHome, 'daemonPid'>) {
  const pid = home.daemonPid()!
  kill(pid, 'SIGSTOP')
  const go = () => kill(pid, 'SIGCONT')
  return { continue: go, [Symbol.dispose]: go }
}
