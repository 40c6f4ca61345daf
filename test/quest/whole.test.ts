import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { QuestSessionView } from '../../src/contract/quest.ts'
import { git, gitProject } from '../loop/projects.ts'
import { theirs } from '../pool/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { questionOn, rests, shown, startQuest } from './story.ts'
import { BUILDERS, HELD, QUESTION, WHOLE } from './whole-story.ts'

test('one quest goes through everything and ends complete, proven, on a green and merged branch [quest-whole] [quest-slots] [quest-resumes] [quest-restarts]', async () => {
  await using home = await tempHome({ client: 'either', scenario: WHOLE })
  gitProject(home.project, { 'README.md': 'hello\n' })
  const before = theirs(home.project)
  const run = await startQuest(home, { ward: ['test ! -e broken'] })

  // Two restarts later the question is the same, and its answer resumes the session that asked.
  await until(async () => (await shown(home, run)).status === 'blocked', 'the question')
  const question = await questionOn(home, run, 'requirements')
  expect(question).toMatchObject({
    kind: 'question',
    text: expect.stringContaining(QUESTION),
  })
  for (let restart = 0; restart < 2; restart++) {
    await home.daemon.stop(null)
    await home.daemon.ready()
  }
  const answered = await home.rehoboam(['answer', question.id, 'Yes, in lower case.'])
  expect(answered.code).toBe(0)
  // Credentials are in memory only: whoever resumes brings them along.
  await until(async () => (await shown(home, run)).cause === 'needs-environment', 'credentials to be missed')
  expect((await home.rehoboam(['resume', run])).code).toBe(0)
  const isBuilding = (step: string) =>
    home.model.waitFor(({ line }) => line.role === 'codeweaver' && line.step === step, 600_000)
  await Promise.all(BUILDERS.map(isBuilding))
  home.model.release(HELD)

  const found = await rests(home, run)
  expect(found).toMatchObject({ status: 'complete', cause: 'merged', proven: true, steps: { total: 7, complete: 7 } })
  const quest = found.quest!
  expect(quest.questions).toMatchObject([{ step: 'requirements', answer: expect.stringContaining('lower case') }])
  const of = (role: string, step: string) => quest.sessions.filter(one => one.role === role && one.step === step)
  // The same session, with its history: the model sees what it had asked.
  expect(of('chaoswhisperer', 'requirements')).toHaveLength(1)
  const resumed = await home.model.waitFor(({ line }) => line.role === 'chaoswhisperer' && line.attempt !== '1')
  expect(resumed.prompt).toContain('Yes, in lower case.')
  expect(JSON.stringify(resumed.messages)).toContain(QUESTION)
  // Three slots at once.
  const builders = BUILDERS.map(step => of('codeweaver', step)[0]!)
  expect(overlap(builders)).toBe(true)
  expect(quest.wards.filter(({ result }) => result === 'red').map(({ step }) => step)).toEqual(['b'])
  expect(of('spiritmender', 'b').map(({ how }) => how)).toEqual(['complete'])
  // The gap: closed by another session, seen by the same Siegemaster.
  expect([of('codeweaver', 'c').length, of('siegemaster', 'c').length]).toEqual([2, 1])
  expect(of('codeweaver', 'd').map(({ how }) => how)).toEqual(['partially-complete', 'partially-complete', 'complete'])
  const third = await home.model.waitFor(({ line }) => line.step === 'd' && line.attempt === '3')
  expect(third.prompt).toContain('go on with 3')
  expect([of('codeweaver', 'e').length, of('spiritmender', 'e').length]).toEqual([1, 1])
  expect([of('pathseeker', 'f').length, of('codeweaver', 'f').length, of('codeweaver', 'f2').length]).toEqual([1, 2, 1])
  expect([of('lawbringer', 'review').length, of('spiritmender', 'review').length]).toEqual([1, 1])

  const branch = `rehoboam/${run}`
  const files = git(home.project, 'ls-tree', '-r', '--name-only', branch).trim().split('\n')
  expect(files).toEqual(['README.md', ...['a', 'b', 'c', 'd', 'e', 'f', 'f2'].map(id => `${id}.txt`)])
  expect(git(home.project, 'show', `${branch}:c.txt`)).toBe('c\nempty\n')
  expect(git(home.project, 'show', `${branch}:d.txt`)).toBe('d1\nd2\nd3\n')
  expect(git(home.project, 'show', `${branch}:README.md`)).toBe('a to f\n')
  expect(theirs(home.project)).toEqual(before)
  expect(git(home.project, 'branch', '--list', 'rehoboam-work/*')).toBe('')
  // What people read is what we know.
  const copy = () => JSON.parse(readFileSync(join(home.project, `.rehoboam/quests/${run}/quest.json`), 'utf8'))
  await until(() => copy().status === 'complete', 'the copy for people')
  expect(copy().sessions).toHaveLength(quest.sessions.length)
  expect(Object.keys(quest.costByRole).sort()).toEqual([...new Set(quest.sessions.map(({ role }) => role))].sort())
}, 1_500_000)

function overlap(sessions: QuestSessionView[]): boolean {
  const starts = sessions.map(({ startedAt }) => Date.parse(startedAt))
  const ends = sessions.map(({ endedAt }) => Date.parse(endedAt!))
  return Math.max(...starts) < Math.min(...ends)
}
