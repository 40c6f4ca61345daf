import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { agentsOf } from '../inbox/scene.ts'
import { atRest, openPane, typed } from '../support/real-pane.ts'
import { REAL_CLIENT, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { arrived, spooled } from './spooled.ts'

const CALLS = Array.from({ length: 24 }, (_, n) => n + 1)
// Its own start is in the spool before it ends. So what is to come first has come first, however busy the machine is.
const commandOf = (n: number) =>
  `until grep -qs "call-${n};" "$REHOBOAM_HOME/spool.ndjson"; do sleep 0.02; done; : call-${n};`

/** Each answer of the model waits until it is let go by the number of its call. */
const SCRIPT = turns(
  {},
  ...CALLS.map(n => ({ ...bash(commandOf(n)), fault: { kind: 'hang' as const, name: `call-${n}` } })),
  say('All done.', { fault: { kind: 'hang', name: 'end' } }),
)

// What the client prints of a hook that went wrong. That one runs, and its tips about hooks, are its own affair.
const RUBBISH = /hook (?:error|failed|cancelled)|ECONN|rehoboam\.cjs/i

test('a real session with the daemon down shows nothing of its 52 hooks, and they arrive in order at the next start [hook-spool-real]', async () => {
  await using home = await tempHome({ client: 'real', scenario: SCRIPT })
  expect((await home.rehoboam(['init'])).code).toBe(0)
  await home.rehoboam(['daemon', 'stop'])
  const { REHOBOAM_CLAUDE: _, ...env } = home.env
  await using pane = await openPane({ program: [REAL_CLIENT], args: ['--permission-mode', 'manual', '--allowedTools', 'Bash'], prompt: 'begin', cwd: home.project, env }) // biome-ignore format: one call
  const order = ['UserPromptSubmit', ...CALLS.map(n => `PostToolUse ${n}`)]
  for (const [n, before] of order.entries()) {
    await until(() => spooled(home).includes(before), `${before} in the spool`).catch(async error => {
      throw new Error(`${error.message}:\n${spooled(home)}\n${await pane.capture()}`)
    })
    await until(() => home.model.release(n < CALLS.length ? `call-${n + 1}` : 'end') > 0, 'the model to be asked')
    expect(await pane.capture()).not.toMatch(RUBBISH)
  }
  await pane.waitForText('All done.')
  await until(() => spooled(home).includes('Stop'), 'the end of the turn')
  expect(await atRest(pane)).not.toMatch(RUBBISH)
  await typed(pane, '/exit')
  await until(() => spooled(home).includes('SessionEnd'), 'the end of the session')
  expect(home.daemonPid()).toBeNull()

  await home.daemon.ready()
  const calls = CALLS.flatMap(n => [`PreToolUse ${n}`, `PostToolUse ${n}`])
  const heard = await arrived(home)
  // Before the first call it may report other things too: what it notices about itself as it starts.
  expect(heard.filter(name => name !== 'Notification')).toEqual(['SessionStart', 'UserPromptSubmit', ...calls, 'Stop', 'SessionEnd']) // biome-ignore format: one list
  expect(await agentsOf(home)).toMatchObject([{ status: 'done' }])
})
