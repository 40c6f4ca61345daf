import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { held } from './held.ts'
import { inboxOf } from './scene.ts'

test('several answers have each their own outcome, and the code tells of the worst [inbox-bulk]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
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
