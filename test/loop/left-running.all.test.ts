import { expect, test } from 'vitest'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { show } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { LOOP, playDevServer } from './left-running-story.ts'
import { gitProject } from './projects.ts'

test('a dev server that an agent left running is ended after its grace, and the log names it: pane [loop-left-running]', () =>
  playDevServer('pane'))

test.each(['headless', 'pane'] as const)(
  'an idle teammate does not keep an iteration from ending: %s [loop-left-running]',
  async driver => {
    const mate = tool('Agent', {
      description: 'help',
      name: 'alice',
      prompt: 'You are alice',
      subagent_type: 'general-purpose',
    })
    await using home = await tempHome({
      client: 'real',
      scenario: [
        ...turns({ prompt: 'You are alice' }, say('I am ready.')),
        ...turns({ iteration: 1 }, use(mate), bash('echo 1 > one'), say('Alice is here.\n\nDONE')),
        // Whatever its client tells the lead of its team meanwhile.
        { reply: say('Alice is idle.\n\nDONE') },
      ],
    })
    gitProject(home.project)
    // An hour of grace: not that ends it.
    const env = { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1', REHOBOAM_SESSION_BACKGROUND_GRACE_SEC: '3600' }
    const ended = await home.rehoboam([...LOOP, driver], env)
    expect([ended.code, ended.err]).toEqual([0, expect.any(String)])
    const [run = ''] = home.runs()
    expect(await show(home, run)).toMatchObject({ cause: 'stop-word', iteration: 1 })
    expect(home.model.asked.some(({ prompt }) => prompt.includes('You are alice'))).toBe(true)
  },
)
