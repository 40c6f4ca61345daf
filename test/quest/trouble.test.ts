import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { clientOf, sessionProcessesOf } from '../daemon/processes.ts'
import { git, gitProject } from '../loop/projects.ts'
import { untilInTranscript, untilRun } from '../session/runs.ts'
import { kill, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { signalAs } from './signal-as.ts'
import { begins, complete, plays, rests, shown, signals, simply, startQuest } from './story.ts'

const STEPS = ['quiet', 'wrong', 'left', 'cut']
const SCENARIO = [
  ...begins(STEPS.map(id => ({ id }))),
  // Ends well, and says nothing.
  ...turns({ role: 'codeweaver', step: 'quiet', attempt: 1 }, say('I am finished.')),
  // Another step, a signal that is not its role's, then the right one, and then a second.
  ...plays('codeweaver', 'wrong', null, bash('echo wrong > wrong.txt'), complete('quiet'), complete('wrong'), complete('wrong', 'really')), // biome-ignore format: one line
  ...plays('siegemaster', 'wrong', null, signals({ signal: 'needs-user-input', question: 'Why?', context: '' }, 'wrong'), complete('wrong')), // biome-ignore format: one line
  // Something that hears no TERM is left running; and a Siegemaster changes what it attacks.
  ...plays('codeweaver', 'left', null, bash(`echo left > left.txt; (trap '' TERM; sleep 3000) > /dev/null 2>&1 &`), complete('left')), // biome-ignore format: one line
  ...plays('siegemaster', 'left', null, bash('echo weaker > left.txt; mkdir -p test; echo attack > test/left.test.js'), complete('left')), // biome-ignore format: one line
  // Killed in the middle of its work.
  ...turns({ role: 'codeweaver', step: 'cut', attempt: 1 }, bash('echo cut > cut.txt'), say('Never heard.', { fault: { kind: 'hang' } })), // biome-ignore format: one line
  ...plays('codeweaver', 'cut', 2, complete('cut')),
  ...simply(STEPS),
]

test('a quest puts right whatever its sessions do wrong [quest-trouble] [quest-roles-held]', async () => {
  await using home = await tempHome({ client: 'either', scenario: SCENARIO })
  gitProject(home.project, { 'README.md': 'hello\n' })
  // Too short: on a busy machine a session is ended between its signal and its next call. Too long: what hears no TERM is waited for.
  const run = await startQuest(home, { ward: ['true'], flags: { 'session.endGraceSec': '30' } })

  await home.model.waitFor(({ line, turn }) => line.step === 'cut' && line.role === 'codeweaver' && turn === 1)
  const cut = (await shown(home, run)).quest!.sessions.find(({ step }) => step === 'cut')!
  const { turns: cutOff } = await untilRun(home, cut.run, ({ turns: [turn] }) => turn?.pid != null, 'the start')
  await untilInTranscript(home, cut.id!, 'tool_result')
  kill(clientOf(cutOff[0]!.pid!))

  const found = await rests(home, run)
  expect(found).toMatchObject({ status: 'complete', proven: true })
  const { sessions } = found.quest!

  // Cut off, and told why; the same session went on.
  const quiet = sessions.filter(({ step, role }) => step === 'quiet' && role === 'codeweaver')
  expect(quiet.map(({ how }) => how)).toEqual(['complete'])
  const again = await home.model.waitFor(({ line }) => line.step === 'quiet' && line.attempt === '2')
  expect(again.prompt).toContain('without calling signal-back')

  // Killed: told to look first, with its history, and nothing was done twice.
  const back = await home.model.waitFor(({ line }) => line.step === 'cut' && line.attempt === '2')
  expect(back.prompt).toContain('You were cut off')
  expect(JSON.stringify(back.messages)).toContain('echo cut > cut.txt')
  expect(sessions.filter(({ step, role }) => step === 'cut' && role === 'codeweaver')).toHaveLength(1)

  // Refusals are read by the model in the same turn, and change nothing.
  const said = (role: string) =>
    JSON.stringify(home.model.asked.filter(({ line }) => line.step === 'wrong' && line.role === role).at(-1)!.messages)
  expect(said('codeweaver')).toMatch(/you work on wrong, not on quiet/)
  expect(said('codeweaver')).toMatch(/signalled complete already/)
  expect(said('siegemaster')).toMatch(/a siegemaster may not signal needs-user-input/)

  // Nothing is heard of a session that has ended, nor of anything that has its token.
  const late = { signal: 'partially-complete', stepId: 'cut', progress: 'all', continuationPoint: 'none' }
  const before = home.journal(run).length
  const { id: gone } = sessions.find(one => one.run === cut.run)!
  expect(await signalAs(home, gone, late)).toMatch(/^refused: .*the quest has ended/)
  expect(home.journal(run)).toHaveLength(before)

  const branch = `rehoboam/${run}`
  expect(git(home.project, 'show', `${branch}:left.txt`)).toBe('left\n')
  expect(git(home.project, 'show', `${branch}:test/left.test.js`)).toBe('attack\n')
  expect(found.notes.join()).toMatch(/siegemaster on left changed what is not a test, and that was put back: left\.txt/)
  expect(git(home.project, 'show', `${branch}:cut.txt`)).toBe('cut\n')
  await until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
}, 1_500_000)
