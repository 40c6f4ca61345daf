import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import { Sessions } from '../../src/daemon/sessions/sessions.ts'
import { say } from '../../src/rehearsal/lines.ts'
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
  const run = await spawnRun(home, 'Go', ['--driver', 'pane'])
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

test('a run that ended needs its pane no more, whatever else is left to do for it; one whose session still ends does [pane-left]', async () => {
  const tidied: string[] = []
  const pane = { tidyPanes: async (runs: string[]) => void tidied.push(...runs) }
  const sessions = new Sessions({ driverOf: () => pane } as never)
  const run = (id: string, status: string, deed: string) =>
    ({
      id,
      record: { state: { kind: 'session', status, spec: { driver: 'pane' } }, pending: { key: { do: deed } } },
    }) as never
  await sessions.recover([
    run('told', 'cancelled', 'end-session'),
    run('ending', 'cancelled', 'run-session'),
    run('paused', 'paused', 'end-session'),
  ])
  expect(tidied).toEqual(['told'])
})
