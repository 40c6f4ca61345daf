import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentSummary } from '../../src/contract/agent.ts'
import { bash, overloaded, rateLimited, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { agentThat, questionOf } from '../inbox/own-pane.ts'
import { openPane, typed } from '../support/real-pane.ts'
import { REAL_CLIENT, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

/** A command that runs until the test says so. */
const held = (name: string) => `touch up-${name}; until [ -e go-${name} ]; do sleep 0.05; done`
const hang = (name: string) => ({ fault: { kind: 'hang' as const, name } })
const agent = (name: string) =>
  tool('Agent', { description: name, prompt: `sub ${name}`, subagent_type: 'general-purpose' })
const background = use(tool('Bash', { command: held('back'), description: 'long', run_in_background: true }))

const SCENARIO: RuleSource[] = [
  ...turns({ prompt: 'sub helper' }, bash(held('sub')), say('The helper is done.')),
  ...turns({ prompt: 'think' }, say('Thought.', hang('think'))),
  ...turns({ prompt: 'both' }, use(tool('Bash', { command: 'cat pipe-one', description: 'a' }), tool('Bash', { command: 'cat pipe-two', description: 'b' })), say('Both ran.')), // biome-ignore format: one call
  ...turns({ prompt: 'write' }, use(tool('Write', { file_path: 'made.txt', content: 'x' })), say('Written.')),
  ...turns({ prompt: 'delegate' }, use(agent('helper')), say('Delegated.')),
  ...turns({ prompt: 'later' }, background, say('It runs on.')),
  ...turns({ prompt: 'fail' }, bash('exit 3'), say('It failed.', hang('fail'))),
  ...turns({ prompt: 'limit' }, rateLimited()),
  ...turns({ prompt: 'crowd' }, overloaded()),
  ...turns({ prompt: 'wait' }, bash(held('esc')), say('Never heard.')),
]

const working = (agentSummary: AgentSummary, words: RegExp) =>
  agentSummary.status === 'working' && words.test(agentSummary.reason)

/** The hook of the subagent's start may be heard before that of the prompt that led to it. */
const isDelegating = ({ subagents, status }: AgentSummary) =>
  subagents === 1 && (status === 'working' || status === 'background')

async function is(home: TempHome, status: AgentSummary['status'], reason: RegExp): Promise<AgentSummary> {
  return agentThat(home, found => found.status === status && reason.test(found.reason), `${status}, ${reason}`)
}

/** Lets a reply go on, once the model has been asked for it. */
const released = (home: TempHome, name: string) => until(() => home.model.release(name) > 0, `${name} to be asked`)
const go = (home: TempHome, name: string) => writeFileSync(join(home.project, `go-${name}`), '')

test('a session in a pane goes through everything, and status and reason are right at each point [agent-walk-pane]', async () => {
  await using home = await tempHome({ client: 'real', scenario: SCENARIO })
  // Only what reads runs side by side; a pipe that nobody writes to is read for as long as the test likes.
  for (const name of ['pipe-one', 'pipe-two']) execFileSync('mkfifo', [join(home.project, name)])
  await home.daemon.ready()
  expect((await home.rehoboam(['init'])).code).toBe(0)
  const { REHOBOAM_CLAUDE: _, ...env } = home.env
  const args = ['--permission-mode', 'manual', '--allowedTools', 'Bash,Agent']
  await using pane = await openPane({ program: [REAL_CLIENT], args, prompt: 'think', cwd: home.project, env })
  const resting = () => is(home, 'waiting', /^waits for its user/)

  await is(home, 'working', /^thinking/)
  await released(home, 'think')
  await resting()

  await typed(pane, 'both')
  await agentThat(home, found => working(found, /pipe-(?:one|two) and 1 more/), 'both tools')
  writeFileSync(join(home.project, 'pipe-one'), '1\n')
  await agentThat(home, found => working(found, /pipe-two for/), 'the other tool alone')
  writeFileSync(join(home.project, 'pipe-two'), '2\n')
  await resting()

  await typed(pane, 'write')
  await is(home, 'attention', /made\.txt/)
  const question = await questionOf(home)
  expect((await home.rehoboam(['allow', question.id])).code).toBe(0)
  await pane.waitForText('Written.')
  await resting()

  await typed(pane, 'delegate')
  await agentThat(home, isDelegating, 'a subagent, and a parent that does not rest')
  go(home, 'sub')
  await agentThat(home, found => found.subagents === 0 && found.status === 'waiting', 'the subagent to be done')

  await typed(pane, 'later')
  await is(home, 'background', /long|up-back/)
  go(home, 'back')
  await resting()

  await typed(pane, 'fail')
  await is(home, 'working', /^thinking/)
  await released(home, 'fail')
  await resting()

  await typed(pane, 'limit')
  await is(home, 'failed', /limit/)
  await typed(pane, 'crowd')
  await is(home, 'failed', /overload/)

  await typed(pane, 'wait')
  await is(home, 'working', /up-esc/)
  await pane.keys('Escape')
  await is(home, 'waiting', /interrupted/)

  const summary = say('<summary>All of it.</summary>')
  home.model.says({ when: { prompt: 'TEXT ONLY' }, reply: { ...summary, ...hang('compact') } })
  await typed(pane, '/compact')
  await is(home, 'compacting', /^compacting/)
  // It asks again when it does not like the answer.
  home.model.says({ when: { prompt: 'TEXT ONLY' }, reply: summary })
  await released(home, 'compact')
  await resting()

  await typed(pane, '/exit')
  await is(home, 'done', /./)
})

test('a headless session of ours likewise, from its stream and its hooks [agent-walk-pane]', async () => {
  await using home = await tempHome({ client: 'real', scenario: SCENARIO })
  // Only what reads runs side by side; a pipe that nobody writes to is read for as long as the test likes.
  for (const name of ['pipe-one', 'pipe-two']) execFileSync('mkfifo', [join(home.project, name)])
  const spawn = async (prompt: string) => {
    const words = ['spawn', '--prompt', prompt, '--permission-mode', 'manual', '--allowed-tools', 'Bash,Agent']
    return (await home.rehoboam(words)).out.trim()
  }
  const of = (run: string, status: AgentSummary['status'], reason: RegExp) =>
    agentThat(home, found => found.run === run && found.status === status && reason.test(found.reason), `${status}, ${reason}`) // biome-ignore format: one call

  const think = await spawn('think')
  await of(think, 'working', /^thinking/)
  await released(home, 'think')
  await of(think, 'done', /./)

  const both = await spawn('both')
  await of(both, 'working', /pipe-(?:one|two) and 1 more/)
  writeFileSync(join(home.project, 'pipe-one'), '1\n')
  await of(both, 'working', /pipe-two for/)
  writeFileSync(join(home.project, 'pipe-two'), '2\n')
  await of(both, 'done', /./)

  const write = await spawn('write')
  await of(write, 'attention', /made\.txt/)
  expect((await home.rehoboam(['allow', (await questionOf(home)).id])).code).toBe(0)
  await of(write, 'done', /./)

  const delegate = await spawn('delegate')
  await agentThat(home, found => found.run === delegate && isDelegating(found), 'a subagent')
  go(home, 'sub')
  await of(delegate, 'done', /./)

  const later = await spawn('later')
  await of(later, 'background', /long|up-back/)
  go(home, 'back')
  await of(later, 'done', /./)

  const fail = await spawn('fail')
  await of(fail, 'working', /^thinking/)
  await released(home, 'fail')
  await of(fail, 'done', /./)

  await of(await spawn('limit'), 'failed', /limit/)
  await of(await spawn('crowd'), 'failed', /overload/)
})
