import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { sessionProcessesOf, supervisorsOf, untilServes } from '../daemon/processes.ts'
import { eventsOf, linesOf, loggedInClient, untilStatus } from '../session/runs.ts'
import { kill, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { git, gitProject, untilLogged } from './projects.ts'

const work = (n: number) => bash(`echo ${n} >> work; echo "## ${n}" >> .rehoboam/progress.md`)
const SCENARIO = [
  ...turns({ iteration: 1 }, work(1), say('The first is there, more to do.')),
  ...turns({ iteration: 2, attempt: 1 }, work(2), say('Never heard.', { fault: { kind: 'hang', name: 'two' } })),
  ...turns({ iteration: 2 }, say('The second is there, more to do.')),
  ...turns({ iteration: 3 }, work(3), say('All of it is there.\n\nDONE')),
]

export type Victim = 'daemon' | 'supervisor' | 'client' | 'tmux server'
export type Driver = 'headless' | 'pane'

/** A loop of three iterations whose victims are killed in the second one. Its session outlives them, or is cut off and resumed. */
export async function playKilled(driver: Driver, victims: Victim[], then: 'goes on' | 'is resumed'): Promise<void> {
  await using home = await tempHome({ client: driver === 'pane' ? 'real' : 'either', scenario: SCENARIO })
  gitProject(home.project)
  const words = ['spawn', '--loop', '--prompt', 'Three things', '--driver', driver, '--no-ward']
  const spawned = await home.rehoboam(
    [...words, '--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash'],
    loggedInClient(home),
  )
  expect(spawned).toMatchObject({ code: 0 })
  const run = spawned.out.trim()
  await home.model.waitFor(({ line, turn }) => line.iteration === '2' && turn === 1)
  const [before, panes] = [home.daemonPid()!, driver === 'pane' ? [paneOf(home, run)] : []]

  await killAll(victims.flatMap(victim => pidsOf(home, victim)))
  // Somebody looks how it is: that brings the daemon back.
  expect(await home.rehoboam(['runs'])).toMatchObject({ code: 0 })
  expect((await untilServes(home)) === before).toBe(!victims.includes('daemon'))
  if (then === 'goes on') expect(home.model.release('two')).toBe(1)

  expect(await untilStatus(home, run, 'complete', 'blocked', 'paused')).toMatchObject({
    cause: 'stop-word',
    iteration: 3,
  })
  if (then === 'goes on' && driver === 'pane') expect(panes).toEqual([expect.stringMatching(/^%\d+$/)])
  const starts = eventsOf(home, run, 'session-started').length
  expect(starts).toBe(then === 'goes on' ? 3 : 4)
  expect(eventsOf(home, run, 'iteration-prepared').map(({ iteration }) => iteration)).toEqual([1, 2, 3])
  expect(eventsOf(home, run, 'iteration-closed').map(({ iteration }) => iteration)).toEqual([1, 2, 3])
  expect(eventsOf(home, run, 'iteration-closed').map(({ facts }) => facts.toolCalls)).toEqual([1, 1, 1])
  expect(linesOf(home.project, 'work')).toEqual(['1', '2', '3'])
  expect(git(home.project, 'show', `refs/rehoboam/${run}/2:work`)).toBe('1\n2\n')
  await untilLogged(home.project, 'complete (stop-word), ended')
  const activity = readFileSync(join(home.project, '.rehoboam/activity.log'), 'utf8')
  expect(activity.match(/ iteration \d:/g)).toEqual([' iteration 1:', ' iteration 2:', ' iteration 3:'])
  const told = then === 'is resumed' ? ['] the session was cut off; it goes on\n'] : null
  expect(activity.match(/\] .*\n/g)).toEqual(told)
  const logged = (await home.rehoboam(['logs', run])).out
  expect(logged.match(/the session was cut off/g)?.length ?? 0).toBe(told ? 1 : 0)
  await until(() => sessionProcessesOf(home).length === 0, 'its processes to be gone')
}

function pidsOf(home: TempHome, victim: Victim): number[] {
  switch (victim) {
    case 'daemon':
      return [home.daemonPid()!]
    case 'supervisor':
      return supervisorsOf(home)
    case 'tmux server':
      return [Number(tmux(home, 'display-message', '-p', '#{pid}'))]
    case 'client':
      return sessionProcessesOf(home).filter(pid => !isTmux(pid))
  }
}

async function killAll(pids: number[]): Promise<void> {
  for (const pid of pids) kill(pid)
  await until(() => pids.every(isGone), 'everybody to be dead')
}

function isGone(pid: number): boolean {
  try {
    return /^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}

function isTmux(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('tmux')
  } catch {
    return false // It has ended by itself.
  }
}

function paneOf(home: TempHome, run: string): string {
  return tmux(home, 'list-panes', '-t', `=${run}:`, '-F', '#{pane_id}')
}

function tmux(home: TempHome, ...words: string[]): string {
  return execFileSync('tmux', ['-L', tmuxSocketOf(home.home), ...words], { encoding: 'utf8' }).trim()
}
