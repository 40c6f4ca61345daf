import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say } from '../../src/rehearsal/lines.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { git, gitProject } from '../loop/projects.ts'
import { command, theirs } from '../pool/projects.ts'
import { scriptClient } from '../session/runs.ts'
import { kill, PUPPET, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { answered, begins, complete, plays, questionOn, rests, shown, signals, simply, startQuest } from './story.ts'

const hang = (name: string) => ({ fault: { kind: 'hang' as const, name } })
const hangs = (step: string) => ({
  when: { role: 'codeweaver', step, attempt: 1, turn: 0 },
  reply: say('', hang(step)),
})
const ASKS = signals({ signal: 'needs-user-input', question: 'Blue or green?', context: '' }, 'one')

const SCENARIO = [
  ...begins([{ id: 'one' }, { id: 'two', dependsOn: ['one'] }]),
  ...[hangs('one'), hangs('two')],
  ...plays('codeweaver', 'one', 2, bash('echo begun > begun.txt'), ASKS),
  // Signals while no daemon is there to hear it, and ends.
  ...plays('siegemaster', 'two', 1, { ...complete('two'), ...hang('away') }),
  ...simply(['one', 'two']),
]

/** Has its key from elsewhere: what it needs is not lost with a daemon. */
const CLIENT = `export ANTHROPIC_API_KEY=rehearsal IS_SANDBOX=1
exec '${PUPPET}' "$@"`

// `npm run test:all` has all commands in hands.all.test.ts, with a killed daemon before each.
test('a quest is told, paused, resumed and answered, and cancelled the moment after a kill; a signal while the daemon is away is made up for [quest-by-hand] [quest-tell] [quest-cancel] [quest-away]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  delete home.env.ANTHROPIC_API_KEY
  home.env.REHOBOAM_CLAUDE = scriptClient(home, 'client', CLIENT)
  gitProject(home.project, { 'README.md': 'hello\n' })
  const before = theirs(home.project)
  const asked = (role: string, step: string, attempt: number, turn = 0) =>
    home.model.waitFor(
      ({ line, turn: at }) => line.role === role && line.step === step && line.attempt === `${attempt}` && at === turn,
    )
  const areGone = () => until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
  const run = await startQuest(home, { ward: [] })

  // Paused: nothing runs. Resumed: the same session, with what the quest was told.
  await asked('codeweaver', 'one', 1)
  await command(home, run, 'tell', 'Use tabs')
  await command(home, run, 'pause')
  await areGone()
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
  await areGone()
  const worktrees = () => readdirSync(join(home.home, 'worktrees')).filter(name => !name.endsWith('.json'))
  await until(() => worktrees().every(name => !/-s\d+$/.test(name)), 'disposable worktrees to be gone')
  const branches = () => git(home.project, 'branch', '--list', '--format=%(refname:short)', 'rehoboam*').split('\n')
  expect(branches().filter(Boolean)).toEqual([`rehoboam-work/${run}/two`, `rehoboam/${run}`])
  const files = git(home.project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`)
  expect(files).toBe('README.md\nbegun.txt\none.txt\n')

  // Resumed, and the signal of the Siegemaster is lost with the daemon.
  await command(home, run, 'resume')
  await asked('siegemaster', 'two', 1)
  await home.daemon.stop(null)
  home.model.release('away')
  expect(JSON.stringify((await asked('siegemaster', 'two', 1, 1)).messages.at(-1))).toContain('is_error')
  await areGone()
  await home.daemon.ready()
  expect(await rests(home, run)).toMatchObject({ status: 'complete', steps: { complete: 2 } })
  expect((await asked('siegemaster', 'two', 2)).prompt).toContain('without calling signal-back')
  expect(branches().filter(Boolean)).toEqual([`rehoboam/${run}`])
  expect(theirs(home.project)).toEqual(before)
}, 1_500_000)
