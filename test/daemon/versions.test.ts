import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DaemonStatus } from '../../src/contract/api.ts'
import { say, turns } from '../../src/rehearsal/replies.ts'
import { eventsOf, questions, show, untilRun } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { daemonsOf, supervisorsOf } from './processes.ts'

const HANGING = turns({}, say('Done.', { fault: { kind: 'hang', name: 'hold' } }))
const SPAWN = ['spawn', '--prompt', 'Do it', '--allowed-tools', 'Bash']
const newer = mkdtempSync(join(tmpdir(), 'rehoboam-newer-'))
const NEWER = join(newer, 'rehoboam.cjs')

beforeAll(async () => {
  const root = join(import.meta.dirname, '../..')
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.mjs'), newer, '99.0.0'], { cwd: root })
})
afterAll(() => rmSync(newer, { recursive: true, force: true }))

test('a newer command replaces the daemon, and neither its session nor a waiting command ends [daemon-newer-replaces]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  const waiting = home.start([...SPAWN, '--wait'])
  await home.model.waitFor(() => true)
  const [run = ''] = home.runs()
  const { turns: before } = await untilRun(home, run, ({ turns: [turn] }) => turn?.pid != null, 'the start to be shown')

  const listed = await home.start(['runs', '--json'], {}, NEWER).ended
  expect(listed).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(listed.out)).toMatchObject([{ id: run, status: 'active' }])
  expect(await versions(home)).toEqual({ serves: '99.0.0', daemons: 1, supervisors: 1 })
  expect((await show(home, run)).turns).toEqual(before)

  home.model.release('hold')
  expect(await waiting.ended).toMatchObject({ code: 0, err: '' })
  expect(questions(home)).toHaveLength(1)
  expect(eventsOf(home, run, 'session-started')).toHaveLength(1)
})

test('a command that is older than the daemon ends with code 2 and changes nothing [daemon-newer-replaces]', async () => {
  await using home = await tempHome()
  expect((await home.start(['daemon', 'start'], {}, NEWER).ended).code).toBe(0)
  const before = home.daemon.registration()

  for (const command of [['runs'], SPAWN, ['daemon', 'start']]) {
    const ended = await home.rehoboam(command)
    expect(ended).toMatchObject({ code: 2, out: '' })
    expect(ended.err).toMatch(/^rehoboam: the daemon has version 99\.0\.0, this command \d+\.\d+\.\d+; use the newer/)
  }
  expect(home.daemon.registration()).toEqual(before)
  expect(home.runs()).toEqual([])
  // Looking and stopping need no agreement about anything else.
  expect((await home.rehoboam(['daemon', 'status'])).code).toBe(0)
  expect((await home.rehoboam(['daemon', 'stop'])).code).toBe(0)
})

async function versions(home: TempHome) {
  const { version } = await home.daemon.askRunning<DaemonStatus>({ path: '/v1/status' })
  await until(() => daemonsOf(home).length === 1 && supervisorsOf(home).length === 1, 'the old ones to be gone')
  return { serves: version, daemons: daemonsOf(home).length, supervisors: supervisorsOf(home).length }
}
