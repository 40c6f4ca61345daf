import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import { say } from '../../src/rehearsal/replies.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { spawnRun, untilStatus } from './runs.ts'

test('the pane of a run that ended, and a server without any, are closed by the next daemon when the one before died there; others stay [pane-left]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: [{ reply: say('Never heard.', { fault: { kind: 'hang' } }) }],
  })
  const tmux = (...words: string[]) =>
    execFileSync('tmux', ['-L', tmuxSocketOf(home.home), '-f', '/dev/null', ...words], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
  const sessions = () => {
    try {
      return tmux('list-sessions', '-F', '#{session_name}').trim().split('\n').filter(Boolean)
    } catch {
      return null
    }
  }
  const run = await spawnRun(home, 'Go', { flags: { driver: 'pane' } })
  await until(() => sessions()?.includes(run), 'its pane')
  await home.rehoboam(['cancel', run])
  await untilStatus(home, run, 'cancelled')
  await until(() => sessions() === null, 'its pane to be closed')

  await home.rehoboam(['daemon', 'stop'])
  tmux('new-session', '-d', '-s', run, 'sleep', '600')
  tmux('new-session', '-d', '-s', 'mine', 'sleep', '600')
  await home.rehoboam(['runs'])
  await until(() => sessions()?.includes(run) === false, 'the pane that was left to be closed')
  expect(sessions()).toEqual(['mine'])

  await home.rehoboam(['daemon', 'stop'])
  tmux('set-option', '-g', 'exit-empty', 'off', ';', 'kill-session', '-t', '=mine')
  expect(sessions()).toEqual([])
  await home.rehoboam(['runs'])
  await until(() => sessions() === null, 'the empty server to end')
})
