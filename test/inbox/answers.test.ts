import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry, Question } from '../../src/contract/question.ts'
import { eventTypes, untilStatus } from '../session/runs.ts'
import { kill, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { held } from './held.ts'
import { agentsOf, inboxOf, PERMISSION, QUESTION, runIn } from './scene.ts'

// One home for all of them: each has runs of its own, in a directory of its own, and looks at their questions alone.
let home: TempHome
beforeAll(async () => {
  home = await tempHome({ client: 'either', scenario: PERMISSION })
})
afterAll(() => home[Symbol.asyncDispose]())

async function questionsOf(...runs: string[]): Promise<Question[]> {
  return (await inboxOf(home)).filter(({ run }) => run !== null && runs.includes(run))
}

function audited(): AuditEntry[] {
  return readFileSync(join(home.home, 'audit.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

test('a permission of a headless session waits in the inbox and is allowed from the CLI; meanwhile its time limit stands still [inbox-allow] [inbox-run-asks] [session-max-time]', async () => {
  const { run, directory, asking } = await runIn(home, 'allowed', 'perm please', { maxTime: '1h' })
  const question = await asking()
  expect(question).toMatchObject({ kind: 'permission', run, text: 'Bash: touch made.txt', tool: 'Bash' })
  const agent = (await agentsOf(home)).find(found => found.run === run)
  expect(agent).toMatchObject({ status: 'attention' })
  expect((await home.rehoboam(['runs'])).out).toMatch(/ session +active, asks you /)
  const typed = `\\(rehoboam allow ${question.id.slice(0, 8)}\\)`
  expect((await home.rehoboam(['show', run])).out).toMatch(
    new RegExp(`\nstatus +active, asks you\nasks +Bash: touch made.txt +${typed}\n`),
  )
  const clock = () => eventTypes(home, run).filter(type => type.startsWith('clock-'))
  await until(() => clock().join() === 'clock-stopped', 'its clock to be stopped')
  expect((await home.rehoboam(['allow', question.id.slice(0, 6)])).code).toBe(0)
  await until(() => existsSync(join(directory, 'made.txt')), 'the allowed command to have run')
  await until(() => clock().join() === 'clock-stopped,clock-started', 'its clock to go on')
  expect(await questionsOf(run)).toEqual([])
  expect((await home.rehoboam(['show', run])).out).not.toContain('asks')
})

test('a denied permission tells the agent why, and its command does not run [inbox-allow]', async () => {
  const { directory, asking, goesOn } = await runIn(home, 'denied', 'perm please')
  const question = await asking()
  expect((await home.rehoboam(['deny', question.id, '--reason', 'not on a Sunday'])).code).toBe(0)
  expect(JSON.stringify((await goesOn()).messages)).toContain('not on a Sunday')
  expect(existsSync(join(directory, 'made.txt'))).toBe(false)
})

test('a question is answered from the CLI by the number of an option, or by a text [inbox-allow]', async () => {
  await home.daemon.ready()
  const asked = { tool_name: 'AskUserQuestion', tool_input: QUESTION[0]!.reply.tools![0]!.input }
  for (const [typed, told] of [
    ['2', 'Pears'],
    ['Plums', 'Plums'],
  ] as const) {
    const waiting = held(home, asked)
    const isAsked = ({ kind }: Question) => kind === 'question'
    const question = await until(async () => (await inboxOf(home)).find(isAsked), 'the question')
    expect(question).toMatchObject({ text: 'Which one?', options: ['Apples', 'Pears'] })
    expect((await home.rehoboam(['answer', question.id, typed])).code).toBe(0)
    expect(await waiting).toContain(told)
  }
})

test('of two answers at once one wins and the other is told so [inbox-first-wins]', async () => {
  const { run, asking } = await runIn(home, 'twice', 'perm please')
  const { id } = await asking()
  const both = await Promise.all([home.rehoboam(['allow', id]), home.rehoboam(['deny', id])])
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(both.map(({ err }) => err).join('')).toContain('has been answered already')
  await untilStatus(home, run, 'complete')
})

test('three questions outlive the daemon: none is denied, all are answered after its return, and as old as they are [inbox-survives]', async () => {
  const runs = await Promise.all(['one', 'two', 'three'].map(name => runIn(home, name, 'perm please')))
  const open = async () => {
    const questions = () => questionsOf(...runs.map(({ run }) => run))
    await until(async () => (await questions()).length === 3, 'three questions')
    return questions()
  }
  const known = (questions: Awaited<ReturnType<typeof open>>) =>
    questions.map(({ id, since }) => `${id} ${since}`).sort()
  const before = await open()
  kill(home.daemonPid()!)
  const after = await open()
  expect(known(after)).toEqual(known(before))
  const asked = () => home.model.asked.filter(({ line }) => runs.some(({ run }) => run === line.run))
  expect(asked().every(({ turn }) => turn === 0)).toBe(true)
  expect((await home.rehoboam(['allow', ...after.map(({ id }) => id)])).code).toBe(0)
  const results = (await Promise.all(runs.map(({ goesOn }) => goesOn()))).map(({ messages }) =>
    JSON.stringify(messages.at(-1)),
  )
  expect(results.every(text => !text.includes('"is_error":true'))).toBe(true)
})

test('an agent that answers its own question is refused, and the audit log shows it [inbox-agent-refused]', async () => {
  const { run, asking } = await runIn(home, 'refused', 'perm please')
  const { id } = await asking()
  for (const mark of [{ CLAUDECODE: '1' }, { REHOBOAM_RUN: 'abcdefgh' }]) {
    const { code, err } = await home.rehoboam(['allow', id], mark)
    expect(code).toBe(2)
    expect(err).toContain('from inside an agent')
  }
  expect(await questionsOf(run)).toMatchObject([{ id }])
  const refused = audited().filter(({ what, by, question }) => what === 'refused' && by === 'agent' && question === id)
  expect(refused).toHaveLength(2)
  expect((await home.rehoboam(['allow', id])).code).toBe(0)
})

test('"always for this run" becomes a rule that answers the next time, and the audit log names it [inbox-rules]', async () => {
  const { run, asking } = await runIn(home, 'always', 'perm please')
  const { id } = await asking()
  expect((await home.rehoboam(['allow', id, '--for-run'])).out).toContain('rule Bash(touch made.txt)')
  await untilStatus(home, run, 'complete')
  await home.rehoboam(['resume', run, 'perm please'])
  const asked = () => home.model.asked.filter(({ line, turn }) => line.run === run && turn === 1)
  await until(() => asked().length === 2, 'the second time')
  const [rule] = await home.daemon.ask<{ id: string }[]>({ path: '/v1/rules' })
  expect(audited()).toContainEqual(expect.objectContaining({ what: 'answered', by: 'rule', rule: rule!.id, run }))
})
