import { mkdtempSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunSummary } from '../../src/contract/run.ts'
import { killDaemon } from '../daemon/processes.ts'
import { inboxOf } from '../inbox/scene.ts'
import { eventsOf, show, untilStatus } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { git, gitProject, iterationsOf, spawnLoop, untilLogged } from './projects.ts'

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

let home: TempHome
beforeAll(async () => {
  home = await tempHome({ client: 'either' })
})
afterAll(() => home[Symbol.asyncDispose]())

/** A project of its own in the home that all tests share. */
function place(files?: Record<string, string>): string {
  const directory = mkdtempSync(join(home.root, 'project-'))
  gitProject(directory, files)
  return directory
}

/** Plays a loop to its end. Its anchor names it, so that the model answers this loop alone. */
async function loop(runs: string, ...more: string[]) {
  const project = place(FILES)
  const anchor = `Fix the sum in ${basename(project)}.`
  home.model.says(...iterationsOf(anchor, { runs, says: DONE }, { runs: 'true', says: DONE }))
  const words = ['spawn', '--loop', '--prompt', anchor, '--dir', project, '--allowed-tools', 'Bash', '--yes', '--wait']
  const { code, out } = await home.rehoboam([...words, ...more])
  const [summary] = (await home.daemon.ask<RunSummary[]>({ path: '/v1/runs' })).filter(run => run.project === project)
  const run = summary!.id
  const inbox = async () => (await inboxOf(home)).filter(question => question.run === run)
  return { project, code, out, shown: await show(home, run), inbox }
}

test('a claim with the project’s own tests green is proven, in a worktree that leaves the checkout alone [loop-proof]', async () => {
  const { project, code, out, shown } = await loop(`sed -i 's/a - b/a + b/' sum.mjs`)
  expect([code, shown.proven, shown.loop?.baseRed]).toEqual([0, true, 2])
  expect(out).toContain('complete, proven: an agent said the stop word, and the checks are green, ')
  expect(git(project, 'status', '--porcelain')).toBe(' M sum.mjs\n')
})

test.each([
  [
    'the test script is changed',
    `sed -i 's/node --test [^"]*/true/' package.json`,
    '"test": "true"',
    'what they run or how',
  ],
  ['a failing test is deleted', `sed -i '/one and one/d' sum.test.mjs`, `-test('one and one'`, 'tests are gone'],
  [
    'a failing test is skipped',
    `sed -i "s/test('one and one'/test.skip('one and one'/" sum.test.mjs`,
    '+test.skip(',
    'tests are left out',
  ],
])(
  'green checks are no proof when %s, and the inbox gets that diff [loop-tampered] [loop-worth]',
  async (_, runs, diff, how) => {
    const { project, code, out, shown, inbox } = await loop(`echo >> sum.mjs; ${runs}`)
    expect([code, shown.status, shown.proven]).toEqual([0, 'complete', false])
    const sentence = `the checks were changed (${how}); an agent said the stop word`
    expect(out.replace(', asks you', '')).toContain(`complete, unproven: ${sentence}, `)
    expect([shown.unproven, shown.sentence]).toEqual(['checks-changed', sentence])
    const listed = (await home.rehoboam(['runs'])).out.split('\n').find(line => line.includes(shown.id))
    expect(listed).toContain('unproven (the checks were changed)')
    // Its files are written behind it.
    await untilLogged(project, 'complete (stop-word), ended')
    const file = JSON.parse(readFileSync(join(project, '.rehoboam', 'state.json'), 'utf8'))
    expect(file).toMatchObject({ proven: false, sentence })
    expect(shown.notes.join('\n')).toContain('they prove nothing')
    const [question] = await until(async () => nonEmpty(await inbox()), 'the question')
    expect(question).toMatchObject({ kind: 'ward', run: shown.id })
    expect(question!.text).toContain(diff)
    // Only what concerns the checks.
    expect(question!.text).not.toContain('sum.mjs\n')
    expect((await home.rehoboam(['answer', question!.id, 'seen'])).code).toBe(0)
    expect(await inbox()).toEqual([])
  },
)

test('checks that were changed are asked about also after a kill of the daemon, until somebody has seen them [loop-tampered]', async () => {
  const { shown, inbox } = await loop(`sed -i '/one and one/d' sum.test.mjs`)
  const [before] = await until(async () => nonEmpty(await inbox()), 'the question')
  await killDaemon(home)
  const [after] = await until(async () => nonEmpty(await inbox()), 'the question again')
  expect(after?.id).toBe(before?.id)
  expect((await home.rehoboam(['allow', after!.id])).code).toBe(0)
  await until(() => eventsOf(home, shown.id, 'answered').length === 1, 'the answer')
  expect(await inbox()).toEqual([])
})

test('a claim that the checks refute is refused, and the next prompt names what failed [loop-refused]', async () => {
  const { project, code, out, shown } = await loop('echo "// nothing" >> sum.mjs', '--max-iterations', '2')
  expect([code, shown.status, shown.cause]).toEqual([3, 'stalled', 'max-iterations'])
  const second = await home.model.waitFor(({ line }) => line.run === shown.id && line.iteration === '2')
  expect(second.prompt).toContain('# What the checks found the last time')
  expect(second.prompt).toContain('- sum.test.mjs:4: one and one')
  expect(out).toContain('the checks are red: 2 (sum.test.mjs one and one)')
  expect((await home.rehoboam(['show', shown.id])).out).toMatch(
    /^checks +red at iteration 2: sum\.test\.mjs one and one$/m,
  )
  await untilLogged(project, 'stalled (max-iterations), ended')
  const log = readFileSync(join(project, '.rehoboam', 'session_history.log'), 'utf8')
  expect(log).toContain('checks on iteration 2: red: sum.test.mjs one and one\n')
  // Where we ran them is no place that it could look at.
  expect(second.prompt).not.toMatch(/^- .*-ward/m)
})

test('checks that cannot be run on the base are no reason not to begin; at a claim the inbox is asked, and says why [loop-checks-not-run]', async () => {
  home.model.says(...iterationsOf('Work without checks', { runs: 'echo 1 > a', says: DONE }))
  const ward = ['--ward', 'no-such-program-here --all']
  const run = await spawnLoop(home, place(), 'Work without checks', ward)
  expect(await untilStatus(home, run, 'blocked')).toMatchObject({
    cause: 'ward-could-not-run',
    loop: { refusedClaims: 0, baseRed: 0, checks: { iteration: 1, result: 'could-not-run' } },
  })
  const why = 'a program that it needs is missing or cannot be started'
  const question = await until(async () => (await inboxOf(home)).find(asked => asked.run === run), 'the question')
  expect(question).toMatchObject({ kind: 'ward', text: expect.stringContaining(why) })
  const shown = (await home.rehoboam(['show', run])).out
  expect(shown).toContain(`could not be run at iteration 1: no-such-program-here --all (${why})`)
})

function nonEmpty<T>(list: T[]): T[] | null {
  return list.length ? list : null
}
