import { expect, test } from 'vitest'
import type { Question } from '../../src/contract/inbox.ts'
import type { RunDetail } from '../../src/contract/run.ts'
import { killDaemon } from '../daemon/processes.ts'
import { eventsOf } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { git, gitProject, iterations } from './projects.ts'

const SUM = 'export const sum = (a, b) => a - b\n'
const TESTS = `import { test } from 'node:test'
import assert from 'node:assert'
import { sum } from './sum.mjs'
test('one and one', () => assert.equal(sum(1, 1), 2))
test('nothing', () => assert.equal(sum(0, 0), 0))
`
const FILES = {
  'package.json': JSON.stringify({ name: 'p', scripts: { test: 'node --test --test-reporter=tap' } }, null, 2),
  'sum.mjs': SUM,
  'sum.test.mjs': TESTS,
}
const DONE = 'All of it works.\n\nDONE'

async function loop(runs: string, ...more: string[]) {
  const home = await tempHome({
    client: 'real',
    scenario: iterations({ runs, says: DONE }, { runs: 'true', says: DONE }),
  })
  gitProject(home.project, FILES)
  const words = ['spawn', '--loop', '--prompt', 'Mend the sum', '--allowed-tools', 'Bash', '--yes', '--wait', ...more]
  const { code, out, err } = await home.rehoboam(words)
  const [run = ''] = home.runs()
  const shown = JSON.parse((await home.rehoboam(['show', run, '--json'])).out) as RunDetail
  return { home, code, out, err, shown }
}

test('a claim with the project’s own tests green is proven, in a worktree that leaves the checkout alone [loop-proof]', async () => {
  const { home, code, out, shown } = await loop(`sed -i 's/a - b/a + b/' sum.mjs`)
  await using _ = home
  expect([code, shown.proven, shown.loop?.baseRed]).toEqual([0, true, 2])
  expect(out).toContain('complete, proven: ')
  expect(git(home.project, 'status', '--porcelain')).toBe(' M sum.mjs\n')
})

test.each([
  ['the test script is changed', `sed -i 's/node --test [^"]*/true/' package.json`, '"test": "true"'],
  ['a failing test is deleted', `sed -i '/one and one/d' sum.test.mjs`, `-test('one and one'`],
  ['a failing test is skipped', `sed -i "s/test('one and one'/test.skip('one and one'/" sum.test.mjs`, '+test.skip('],
])('green checks are no proof when %s, and the inbox gets that diff [loop-tampered]', async (_, runs, diff) => {
  const { home, code, out, shown } = await loop(`echo >> sum.mjs; ${runs}`)
  await using __ = home
  expect([code, shown.status, shown.proven]).toEqual([0, 'complete', false])
  expect(out).toContain('complete, unproven: ')
  expect(shown.notes.join('\n')).toContain('they prove nothing')
  const inbox = () => home.daemon.ask<Question[]>({ path: '/v1/inbox' })
  const [question] = await until(async () => nonEmpty(await inbox()), 'the question')
  expect(question).toMatchObject({ kind: 'ward', run: shown.id })
  expect(question!.text).toContain(diff)
  // Only what concerns the checks.
  expect(question!.text).not.toContain('sum.mjs\n')
  expect((await home.rehoboam(['answer', question!.id, 'seen'])).code).toBe(0)
  expect(await inbox()).toEqual([])
})

test('checks that were changed are asked about also after a kill of the daemon, until somebody has seen them [loop-tampered]', async () => {
  const { home, shown } = await loop(`sed -i '/one and one/d' sum.test.mjs`)
  await using _ = home
  const inbox = () => home.daemon.ask<Question[]>({ path: '/v1/inbox' })
  const [before] = await until(async () => nonEmpty(await inbox()), 'the question')
  await killDaemon(home)
  const [after] = await until(async () => nonEmpty(await inbox()), 'the question again')
  expect(after?.id).toBe(before?.id)
  expect((await home.rehoboam(['allow', after!.id])).code).toBe(0)
  await until(() => eventsOf(home, shown.id, 'answered').length === 1, 'the answer')
  expect(await inbox()).toEqual([])
})

test('a claim that the checks refute is refused, and the next prompt names what failed [loop-refused]', async () => {
  const { home, code, shown } = await loop('echo "// nothing" >> sum.mjs', '--max-iterations', '2')
  await using _ = home
  expect([code, shown.status, shown.cause]).toEqual([3, 'stalled', 'max-iterations'])
  const second = await home.model.waitFor(({ line }) => line.iteration === '2')
  expect(second.prompt).toContain('# What the checks found the last time')
  expect(second.prompt).toContain('- sum.test.mjs:4: one and one')
  // Where we ran them is no place that it could look at.
  expect(second.prompt).not.toMatch(/^- .*-ward/m)
})

function nonEmpty<T>(list: T[]): T[] | null {
  return list.length ? list : null
}
