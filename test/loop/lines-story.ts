import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { agentsOf } from '../inbox/scene.ts'
import { type Client, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { git, gitProject, iterations, untilLogged } from './projects.ts'

/** So many iterations, each of which writes a line. It claims to be done in the last three, and only the last claim is true. */
export async function playLines(count: number, driver: 'headless' | 'pane', client: Client): Promise<void> {
  const lines = Array.from({ length: count }, (_, n) => ({
    runs: `echo ${n + 1} >> file.txt; echo "## ${n + 1}" >> .rehoboam/progress.md`,
    says: n < count - 3 ? `Line ${n + 1} is written, more to do.` : 'All lines are written.\n\nDONE',
  }))
  await using home = await tempHome({ client, scenario: iterations(...lines) })
  gitProject(home.project)
  const head = git(home.project, 'rev-parse', 'HEAD')
  const spawned = await home.rehoboam([
    ...['spawn', '--loop', '--prompt', 'Write the lines', '--driver', driver, '--allowed-tools', 'Bash'],
    ...['--ward', `test "$(wc -l < file.txt)" -ge ${count}`, '--wait'],
  ])
  expect([spawned.code, spawned.out]).toEqual([0, expect.stringMatching(/\ncomplete, proven: /)])
  const [run = ''] = home.runs()
  const shown = JSON.parse((await home.rehoboam(['show', run, '--json'])).out) as RunDetail
  const { iterations: done } = shown.loop!
  expect(shown).toMatchObject({ status: 'complete', cause: 'stop-word', proven: true, iteration: count })
  expect(done.map(({ ward }) => ward)).toEqual([...Array(count - 3).fill(null), 'red', 'red', 'green'])
  expect(new Set(done.map(({ session }) => session)).size).toBe(count)
  const place = driver === 'pane' ? /:%\d+$/ : /^null$/
  const panes = async () => {
    const agents = await agentsOf(home)
    return agents.filter(agent => agent.run === run).map(({ pane }) => String(pane))
  }
  const known = await until(async () => {
    const all = await panes()
    return all.length === count && all.every(pane => place.test(pane)) ? all : null
  }, 'all sessions to be known with their place')
  expect(new Set(known).size).toBe(1)

  const file = (name: string) => readFileSync(join(home.project, '.rehoboam', name), 'utf8')
  await untilLogged(home.project, 'complete (stop-word), ended')
  expect(file('anchor.md')).toBe('Write the lines')
  expect(statSync(join(home.project, '.rehoboam', 'anchor.md')).mode & 0o777).toBe(0o444)
  expect(
    file('activity.log')
      .trim()
      .split('\n')
      .map(line => / iteration (\d+): /.exec(line)?.[1]),
  ).toEqual(done.map(({ iteration }) => String(iteration)))
  expect(JSON.parse(file('state.json'))).toMatchObject({ run, status: 'complete', iteration: count, proven: true })
  // The user's branch is where it was; each checkpoint holds what was there then, and nothing of ours.
  expect(git(home.project, 'rev-parse', 'HEAD')).toBe(head)
  expect(git(home.project, 'status', '--porcelain')).toBe('?? file.txt\n')
  expect(git(home.project, 'show', `refs/rehoboam/${run}/2:file.txt`).trim().split('\n')).toHaveLength(2)
  expect(git(home.project, 'ls-tree', '-r', '--name-only', `refs/rehoboam/${run}/${count}`)).toBe(
    'README.md\nfile.txt\n',
  )
  expect(existsSync(join(home.project, '.gitignore'))).toBe(false)
}
