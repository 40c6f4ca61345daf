import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { held } from './held.ts'
import { inboxOf } from './scene.ts'

const COUNT = 300

// One home for both: each answers all that it has asked.
let home: TempHome
beforeAll(async () => {
  home = await tempHome()
  await home.daemon.ready()
})
afterAll(() => home[Symbol.asyncDispose]())

test('an inbox of 300 questions can be read, and all are answered by one command [inbox-bulk]', async () => {
  const waiting = Array.from({ length: COUNT }, (_, n) => held(home, `echo Grüße ${n}`))
  const questions = await until(async () => {
    const all = await inboxOf(home)
    return all.length === COUNT ? all : null
  }, 'all of them to be asked')
  const { out } = await home.rehoboam(['inbox'])
  expect(out.split('\n').filter(line => /^[0-9a-f]{8} {2}permission /.test(line))).toHaveLength(COUNT)
  expect(out).toContain(`\n${COUNT} permissions; rehoboam allow ID..., deny ID..., answer ID "<text>"\n`)
  const allowed = await home.rehoboam(['allow', ...questions.map(({ id }) => id)])
  expect(allowed).toMatchObject({ code: 0, err: '' })
  expect(allowed.out.trim().split('\n')).toHaveLength(COUNT)
  expect(
    new Set((await Promise.all(waiting)).map(answer => JSON.parse(answer).hookSpecificOutput.decision.behavior)),
  ).toEqual(new Set(['allow']))
  expect((await home.rehoboam(['inbox'])).out).toBe('nothing waits for you\n')
})

test('several answers have each their own outcome, and the code tells of the worst [inbox-bulk]', async () => {
  const waiting = ['git push', 'git push', 'ls'].map(command => held(home, command))
  const [first, second, third] = await until(async () => {
    const all = await inboxOf(home)
    return all.length === 3 ? all.toSorted((a, b) => a.text.localeCompare(b.text)) : null
  }, 'all three to be asked')
  const both = await home.rehoboam(['deny', first!.id, second!.id, '--always', '--reason', 'nicht heute'])
  expect(both).toMatchObject({
    code: 0,
    out: expect.stringMatching(/denied: Bash: git push .*\n.*denied: Bash: git push/),
  })
  // Both ask for the same: one rule says it.
  expect(await home.daemon.ask({ path: '/v1/rules' })).toHaveLength(1)
  const mixed = await home.rehoboam(['allow', first!.id, third!.id, 'nowhere', '--json'])
  expect(mixed.code).toBe(1)
  expect(
    mixed.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)),
  ).toMatchObject([
    { question: first!.id, error: { code: 'already' } },
    { question: third!.id, answer: { kind: 'allow' } },
    { question: 'nowhere', error: { code: 'question-unknown' } },
  ])
  expect((await home.rehoboam(['allow', 'nowhere'])).code).toBe(2)
  expect((await home.rehoboam(['allow', third!.id, '--always', '--for-run'])).code).toBe(2)
  expect((await Promise.all(waiting)).filter(answer => answer.includes('nicht heute'))).toHaveLength(2)
})
