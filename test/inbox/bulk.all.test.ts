import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { held } from './held.ts'
import { inboxOf } from './scene.ts'

const COUNT = 300

test('an inbox of 300 questions can be read, and all are answered by one command [inbox-bulk]', async () => {
  await using home = await tempHome()
  await home.daemon.ready()
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
