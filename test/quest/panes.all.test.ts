import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { git, gitProject } from '../loop/projects.ts'
import { loggedInClient, untilRun } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { begins, complete, plays, questionOn, rests, shown, signals, simply, startQuest } from './story.ts'

const ASKS = signals({ signal: 'needs-user-input', question: 'Blue or green?', context: '' }, 'one')
const held = (name: string) => ({ fault: { kind: 'hang' as const, name } })

const SCENARIO = [
  // First: whoever begins later is told `Use tabs` too. The Siegemaster signals while no daemon hears it, and ends.
  ...plays('siegemaster', 'one', 1, { ...complete('one'), ...held('away') }),
  ...plays('siegemaster', 'one', null, complete('one')),
  ...plays('lawbringer', 'review', null, complete('review')),
  // What is typed while the Codeweaver works reaches the model within the turn, or in the next prompt when the client
  // had not taken it before the turn ended.
  ...turns({ prompt: 'Use tabs' }, complete('one'), say('That is all.')),
  ...begins([{ id: 'one' }]),
  ...plays('codeweaver', 'one', 1, ASKS),
  ...plays('codeweaver', 'one', 2, { ...bash('echo one > one.txt'), ...held('pane') }),
  ...simply(['one']),
]

test('a role in a pane signals, ends, hears what it is told there and is resumed in a pane with its answer; a signal while the daemon is away is made up for [quest-panes] [quest-away] [quest-tell]', async () => {
  await using home = await tempHome({ client: 'real', scenario: SCENARIO })
  for (const [name, value] of Object.entries(loggedInClient(home)))
    if (value === undefined) delete home.env[name]
    else home.env[name] = value
  const roles = join(home.project, '.rehoboam/roles')
  mkdirSync(roles, { recursive: true })
  writeFileSync(join(roles, 'codeweaver.md'), '---\ndriver: pane\n---\n')
  gitProject(home.project, { 'README.md': 'hello\n' })
  const run = await startQuest(home, {})

  const question = await questionOn(home, run, 'one')
  const builder = (await shown(home, run)).quest!.sessions.find(({ role }) => role === 'codeweaver')!
  expect([builder.how, (await shown(home, builder.run)).driver]).toEqual(['needs-user-input', 'pane'])
  await until(() => sessionProcessesOf(home).length === 0, 'the pane to be ended')

  expect((await home.rehoboam(['answer', question.id, 'Green.'])).code).toBe(0)
  const resumed = await home.model.waitFor(({ line }) => line.role === 'codeweaver' && line.attempt === '2')
  expect(resumed.prompt).toContain('Green.')
  expect(JSON.stringify(resumed.messages)).toContain('Blue or green?')
  expect(resumed.session).toBe(builder.id)
  await untilRun(home, builder.run, ({ turns }) => turns[1]?.pid != null, 'its second start')
  expect((await home.rehoboam(['tell', run, 'Use tabs'])).code).toBe(0)
  await until(() => home.journal(builder.run).some(({ type }) => type === 'text-typed'), 'it to be typed')
  home.model.release('pane')
  await home.model.waitFor(({ prompt }) => prompt.includes('Use tabs'))

  // The daemon goes away in the middle of a turn, and the signal with it.
  await home.model.waitFor(({ line }) => line.role === 'siegemaster')
  await home.rehoboam(['daemon', 'stop'])
  home.model.release('away')
  const unheard = await home.model.waitFor(({ line, turn }) => line.role === 'siegemaster' && turn === 1)
  expect(JSON.stringify(unheard.messages.at(-1))).toContain('is_error')
  await until(() => sessionProcessesOf(home).length === 0, 'the session to end')
  await home.rehoboam(['daemon', 'start'])
  expect(await rests(home, run)).toMatchObject({ status: 'complete', steps: { complete: 1 } })
  const again = await home.model.waitFor(({ line }) => line.role === 'siegemaster' && line.attempt === '2')
  expect(again.prompt).toContain('without calling signal-back')
  expect((await shown(home, run)).quest!.sessions.map(({ role, how }) => `${role} ${how}`)).toEqual(
    ['chaoswhisperer', 'pathseeker', 'codeweaver', 'siegemaster', 'lawbringer'].map(role => `${role} complete`),
  )
  expect(git(home.project, 'show', `rehoboam/${run}:one.txt`)).toBe('one\n')
  await until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
}, 1_500_000)
