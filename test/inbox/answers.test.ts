import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventTypes, untilStatus } from '../session/runs.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { asking, inboxOf, PERMISSION, QUESTION, spawned, statusOf } from './scene.ts'

test('a permission of a headless session waits in the inbox and is allowed from the CLI; meanwhile its time limit stands still [inbox-allow] [inbox-run-asks] [session-clock-stops]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  const run = await spawned(home, 'perm please', '--max-time', '1h')
  const question = await asking(home)
  expect(question).toMatchObject({ kind: 'permission', run, text: 'Bash: touch made.txt', tool: 'Bash' })
  expect(await statusOf(home)).toMatchObject({ status: 'attention' })
  expect((await home.rehoboam(['runs'])).out).toMatch(/ session +active, asks you /)
  const typed = `\\(rehoboam allow ${question.id.slice(0, 8)}\\)`
  expect((await home.rehoboam(['show', run])).out).toMatch(
    new RegExp(`\nstatus +active, asks you\nasks +Bash: touch made.txt +${typed}\n`),
  )
  const clock = () => eventTypes(home, run).filter(type => type.startsWith('clock-'))
  await until(() => clock().join() === 'clock-stopped', 'its clock to be stopped')
  expect((await home.rehoboam(['allow', question.id.slice(0, 6)])).code).toBe(0)
  await until(() => existsSync(join(home.project, 'made.txt')), 'the allowed command to have run')
  await until(() => clock().join() === 'clock-stopped,clock-started', 'its clock to go on')
  expect(await inboxOf(home)).toEqual([])
  expect((await home.rehoboam(['show', run])).out).not.toContain('asks')
})

test('a denied permission tells the agent why, and its command does not run [inbox-deny]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  await spawned(home, 'perm please')
  const question = await asking(home)
  expect((await home.rehoboam(['deny', question.id, '--reason', 'not on a Sunday'])).code).toBe(0)
  const told = await home.model.waitFor(asked => asked.turn === 1)
  expect(JSON.stringify(told.messages)).toContain('not on a Sunday')
  expect(existsSync(join(home.project, 'made.txt'))).toBe(false)
})

test('a question asked in a pane is answered from the CLI by the number of an option [inbox-answer]', async () => {
  await using home = await tempHome({ client: 'real', scenario: QUESTION })
  await spawned(home, 'ask please', '--driver', 'pane')
  const question = await asking(home)
  expect(question).toMatchObject({ kind: 'question', text: 'Which one?', options: ['Apples', 'Pears'] })
  expect((await home.rehoboam(['answer', question.id, '2'])).code).toBe(0)
  const told = await home.model.waitFor(asked => asked.turn === 1)
  expect(JSON.stringify(told.messages.at(-1))).toContain('Pears')
})

test('of two answers at once one wins and the other is told so [inbox-first-wins]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  await spawned(home, 'perm please')
  const { id } = await asking(home)
  const both = await Promise.all([home.rehoboam(['allow', id]), home.rehoboam(['deny', id])])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(both.map(({ err }) => err).join('')).toContain('has been answered already')
})

test('three questions outlive the daemon: none is denied, all are answered after its return, and as old as they are [inbox-survives] [inbox-since]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  for (const _ of [1, 2, 3]) await spawned(home, 'perm please')
  const before = await until(async () => ((await inboxOf(home)).length === 3 ? inboxOf(home) : null), 'three questions')
  kill(home.daemonPid()!)
  const after = await until(async () => ((await inboxOf(home)).length === 3 ? inboxOf(home) : null), 'the three again')
  const known = (questions: typeof before) => questions.map(({ id, since }) => `${id} ${since}`).sort()
  expect(known(after)).toEqual(known(before))
  expect(home.model.asked.every(({ turn }) => turn === 0)).toBe(true)
  expect((await home.rehoboam(['allow', ...after.map(({ id }) => id)])).code).toBe(0)
  await until(() => home.model.asked.filter(({ turn }) => turn === 1).length === 3, 'all three to go on')
  const results = home.model.asked
    .filter(({ turn }) => turn === 1)
    .map(({ messages }) => JSON.stringify(messages.at(-1)))
  expect(results.every(text => !text.includes('"is_error":true'))).toBe(true)
})

test('an agent that answers its own question is refused, and the audit log shows it [inbox-agent-refused]', async () => {
  await using home = await tempHome({ client: 'real', scenario: PERMISSION })
  await spawned(home, 'perm please')
  const { id } = await asking(home)
  for (const mark of [{ CLAUDECODE: '1' }, { REHOBOAM_RUN: 'abcdefgh' }]) {
    const { code, err } = await home.rehoboam(['allow', id], mark)
    expect(code).toBe(2)
    expect(err).toContain('from inside an agent')
  }
  expect(await inboxOf(home)).toHaveLength(1)
  const audit = readFileSync(join(home.home, 'audit.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(audit.filter(({ what, by }) => what === 'refused' && by === 'agent')).toHaveLength(2)
})

test('"always for this run" becomes a rule that answers the next time, and the audit log names it [inbox-always]', async () => {
  await using home = await tempHome({ client: 'real', scenario: [...PERMISSION, ...PERMISSION] })
  const run = await spawned(home, 'perm please')
  const { id } = await asking(home)
  expect((await home.rehoboam(['allow', id, '--for-run'])).out).toContain('rule Bash(touch made.txt)')
  await untilStatus(home, run, 'complete')
  await home.rehoboam(['resume', run, 'perm please'])
  await until(() => home.model.asked.filter(({ turn }) => turn === 1).length === 2, 'the second time')
  const audit = readFileSync(join(home.home, 'audit.ndjson'), 'utf8')
  expect(audit).toMatch(/"what":"answered".*"by":"rule","rule":"r1"/)
})
