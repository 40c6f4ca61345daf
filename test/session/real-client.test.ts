import { expect, test } from 'vitest'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { tempHome } from '../support/temp-home.ts'
import { linesOf, questions } from './runs.ts'

test('the real client does a rehearsed prompt with two tools and two at once, shown as it goes [session-real-client]', async () => {
  await using home = await tempHome({
    client: 'real',
    scenario: turns(
      {},
      {
        text: 'Both at once.',
        ...use(tool('Bash', { command: 'echo one >> done' }), tool('Bash', { command: 'echo two >> also' })),
      },
      bash('echo three >> done'),
      say('All three are done.'),
    ),
  })
  const ended = await home.rehoboam(['spawn', '--prompt', 'Do three things', '--allowed-tools', 'Bash', '--wait'])

  expect(ended).toMatchObject({ code: 0, err: '' })
  const words = ['Both at once.', 'Bash  echo one >> done', 'Bash  echo two >> also', 'Bash  echo three >> done']
  for (const line of [...words, 'All three are done.']) expect(ended.out.split('\n')).toContain(line)
  expect(ended.out).toMatch(/^complete: /m)
  expect([linesOf(home.project, 'done'), linesOf(home.project, 'also')]).toEqual([['one', 'three'], ['two']])
  expect(questions(home).map(({ turn }) => turn)).toEqual([0, 1, 2])
})

test('a run that has ended is listed as complete, with its cause, its cost and its times [session-real-client]', async () => {
  await using home = await tempHome({ client: 'either', scenario: turns({}, bash('echo hello'), say('Done.')) })
  await home.rehoboam(['spawn', '--prompt', 'Say hello', '--allowed-tools', 'Bash', '--wait'])

  const [run, ...more] = JSON.parse((await home.rehoboam(['runs', '--json'])).out)
  expect(more).toEqual([])
  expect(run).toMatchObject({
    id: home.runs()[0],
    kind: 'session',
    status: 'complete',
    cause: 'finished',
    project: home.project,
  })
  expect(run.costUsd).toBeGreaterThan(0)
  expect(Date.parse(run.endedAt)).toBeGreaterThan(Date.parse(run.startedAt))
})
