import { expect, test } from 'vitest'
import { bash } from '../../src/rehearsal/replies.ts'
import { command, theirs } from '../pool/projects.ts'
import { kill } from '../support/temp-home.ts'
import { ASKS, branchesOf, expectCancelled, handsHome, hangs, untilSessionsGone } from './hands.ts'
import { answered, begins, complete, plays, questionOn, rests, shown, simply, startQuest } from './story.ts'

const SCENARIO = [
  ...begins([{ id: 'one' }, { id: 'two', dependsOn: ['one'] }]),
  ...[hangs('one', 1), hangs('two', 1)],
  ...plays('codeweaver', 'one', 2, bash('echo begun > begun.txt'), ASKS),
  // Signals while no daemon is there to hear it, and ends.
  ...plays('siegemaster', 'two', 1, { ...complete('two'), fault: { kind: 'hang', name: 'away' } }),
  ...simply(['one', 'two']),
]

// `npm run test:all` has all commands in hands.all.test.ts, with a killed daemon before each.
test('a quest follows what a person does with it, also when its daemon was killed or is away [quest-by-hand] [quest-tell] [quest-cancel] [quest-away]', async () => {
  await using home = await handsHome(SCENARIO)
  const before = theirs(home.project)
  const asked = (role: string, step: string, attempt: number, turn = 0) =>
    home.model.waitFor(
      ({ line, turn: at }) => line.role === role && line.step === step && line.attempt === `${attempt}` && at === turn,
    )
  const run = await startQuest(home, { ward: [] })

  // Paused: nothing runs. Resumed: the same session, with what the quest was told.
  await asked('codeweaver', 'one', 1)
  await command(home, run, 'tell', 'Use tabs')
  await command(home, run, 'pause')
  await untilSessionsGone(home)
  expect(await rests(home, run)).toMatchObject({ status: 'paused', cause: 'paused-by-user' })
  const sessions = (await shown(home, run)).quest!.sessions.map(({ id }) => id)
  await command(home, run, 'resume', 'And be quick')
  expect((await asked('codeweaver', 'one', 2)).prompt).toMatch(/Use tabs[\s\S]*And be quick/)
  expect((await shown(home, run)).quest!.sessions.map(({ id }) => id)).toEqual(sessions)

  // What is said while nobody is there to hear it comes with the answer, and whoever begins later is told all of it.
  const question = await questionOn(home, run, 'one')
  await command(home, run, 'tell', 'Prefer blue')
  await answered(home, run, question, 'Green.')
  const { prompt } = await asked('codeweaver', 'one', 3)
  expect(prompt).toMatch(/Green\.[\s\S]*Prefer blue/)
  expect(prompt).not.toContain('Use tabs')
  const later = await asked('codeweaver', 'two', 1)
  for (const text of ['Use tabs', 'And be quick', 'Prefer blue']) expect(later.prompt).toContain(text)

  // Cancelled the moment after a kill: what is in stays in, what is not is on its branch.
  kill(home.daemonPid()!)
  expect((await home.rehoboam(['cancel', run])).code).toBe(0)
  expect(await rests(home, run)).toMatchObject({ status: 'cancelled', cause: 'cancelled' })
  await expectCancelled(home, run, ['README.md', 'begun.txt', 'one.txt'])

  // Resumed, and the signal of the Siegemaster is lost with the daemon.
  await command(home, run, 'resume')
  await asked('siegemaster', 'two', 1)
  await home.daemon.stop(null)
  home.model.release('away')
  expect(JSON.stringify((await asked('siegemaster', 'two', 1, 1)).messages.at(-1))).toContain('is_error')
  await untilSessionsGone(home)
  await home.daemon.ready()
  expect(await rests(home, run)).toMatchObject({ status: 'complete', steps: { complete: 2 } })
  expect((await asked('siegemaster', 'two', 2)).prompt).toContain('without calling signal-back')
  expect(branchesOf(home)).toEqual([`rehoboam/${run}`])
  expect(theirs(home.project)).toEqual(before)
}, 1_500_000)
