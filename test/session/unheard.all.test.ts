import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tmuxSocketOf } from '../../src/contract/home.ts'
import type { AuditEntry } from '../../src/contract/question.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { agentThat, heardOf, noQuestion, openQuestions, questionOf } from '../inbox/own-pane.ts'
import { paneOn } from '../support/real-pane.ts'
import { kill, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { eventsOf } from './runs.ts'

const WORK = turns({}, bash('touch "made it"'), say('All done.'))
const PANE = ['spawn', '--driver', 'pane', '--allowed-tools', 'Bash', '--prompt', 'go']

/** As if nobody had ever said that the project can be trusted. */
function distrust(home: TempHome): void {
  const path = join(home.user, '.claude.json')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), projects: {} }))
}

function disableHooks(home: TempHome): void {
  mkdirSync(join(home.user, '.claude'), { recursive: true })
  writeFileSync(join(home.user, '.claude', 'settings.json'), JSON.stringify({ disableAllHooks: true }))
}

async function spawned(home: TempHome, ...more: string[]): Promise<string> {
  const { code, out, err } = await home.rehoboam([...PANE, ...more])
  if (code !== 0) throw new Error(err)
  return out.trim()
}

const audit = (home: TempHome) => home.daemon.ask<AuditEntry[]>({ path: '/v1/inbox/audit' })

test('a pane that waits in the trust dialog is one question, across a kill of the daemon, until it is answered there [pane-trust]', async () => {
  await using home = await tempHome({ client: 'real', scenario: WORK })
  distrust(home)
  const run = await spawned(home)
  // Not even while it is too young for a question: Enter there would choose to leave.
  await until(() => eventsOf(home, run, 'session-started').length > 0, 'the start')
  const early = await home.rehoboam(['tell', run, 'x'])
  expect(early).toMatchObject({ code: 1, err: expect.stringMatching(/the pane of run \w+ (waits|has said nothing)/) })
  const asked = await questionOf(home)
  expect(asked).toMatchObject({ kind: 'trust', run, project: home.project, tool: null })
  expect(asked.text).toMatch(new RegExp(`^its pane waits for you.*; rehoboam open ${run}, and answer there:\n`))
  expect(asked.text).toContain('Yes, I trust this folder')
  expect(asked.text.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  await agentThat(
    home,
    ({ status, reason }) => status === 'attention' && reason.includes('trust'),
    'it to need somebody',
  )
  const typed = await home.rehoboam(['tell', run, 'x'])
  expect(typed).toMatchObject({ code: 1, err: expect.stringContaining('waits for an answer') })
  const allowed = await home.rehoboam(['allow', asked.id])
  expect(allowed).toMatchObject({ code: 2, err: expect.stringContaining(`rehoboam open ${run}`) })

  const before = home.daemonPid()!
  kill(before)
  await until(() => home.daemonPid() !== before && home.daemonPid() !== null, 'the next daemon')
  expect((await questionOf(home)).id).toBe(asked.id)

  const pane = paneOn(tmuxSocketOf(home.home))
  await pane.keys('Down')
  await pane.waitForText('❯ Yes, I trust this folder')
  await pane.keys('Enter')
  await noQuestion(home, 'the question to be closed by the answer in the pane')
  await until(() => existsSync(join(home.project, 'made it')), 'the session to work')
  expect(await heardOf(home)).toContain('SessionStart')
  expect(await audit(home)).toMatchObject([{ what: 'closed', by: 'pane', question: asked.id, run }])
})

test('a pane whose hooks are disabled is said to work without them, and its question goes with its session [pane-no-hooks]', async () => {
  await using home = await tempHome({ client: 'real', scenario: WORK })
  disableHooks(home)
  const run = await spawned(home)
  const asked = await questionOf(home)
  expect(asked).toMatchObject({
    kind: 'trust',
    run,
    text: expect.stringMatching(/^it works, .*hooks.*disableAllHooks/),
  })
  await until(() => existsSync(join(home.project, 'made it')), 'the session to work')
  // The client's own note is the signal meanwhile.
  await agentThat(home, ({ status, unsure }) => status === 'waiting' && unsure !== null, 'it to wait for its user')
  expect((await home.rehoboam(['cancel', run])).code).toBe(0)
  await noQuestion(home, 'the question to go with its session')
  expect(await audit(home)).toMatchObject([{ what: 'closed', by: 'session-end', question: asked.id }])
})

test('a loop’s pane too: put aside, it does not come again while the session goes on; with --no-questions the trust dialog pauses the run [pane-trust]', async () => {
  await using home = await tempHome({ client: 'real', scenario: WORK })
  distrust(home)
  await spawned(home, '--loop', '--no-ward')
  const { id } = await questionOf(home)
  expect((await home.rehoboam(['answer', id, 'seen'])).code).toBe(0)
  const run = await spawned(home, '--no-questions')
  type Shown = { status: string; cause: string }
  const paused = await until(async () => {
    const shown = await home.daemon.ask<Shown>({ path: `/v1/runs/${run}` })
    return shown.status === 'paused' ? shown : null
  }, 'the run to be paused')
  expect(paused.cause).toBe('question')
  expect(await openQuestions(home)).toEqual([])
})
