import { expect, test } from 'vitest'
import { rateLimited, say } from '../../src/rehearsal/replies.ts'
import { eventsOf, questions, untilStatus } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { gitProject } from './projects.ts'

const LOOP = ['spawn', '--loop', '--prompt', 'Go', '--allowed-tools', 'Bash', '--no-ward']
const SUBSCRIBED = {
  ANTHROPIC_API_KEY: undefined,
  CLAUDE_CODE_OAUTH_TOKEN: 'rehearsed',
  CLAUDE_CODE_MAX_RETRIES: '0',
}

test('when a limit of the account is over, the loop continues in the same iteration [loop-limit]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: [
      { when: { iteration: 1 }, reply: rateLimited({ resetInSeconds: 5 }), times: 1 },
      { reply: say('All is there.\n\nDONE') },
    ],
  })
  gitProject(home.project)
  const run = (await home.rehoboam(LOOP, SUBSCRIBED)).out.trim()
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ cause: 'stop-word', iteration: 1 })
  expect(eventsOf(home, run, 'iteration-closed')).toHaveLength(1)
  expect(questions(home).at(-1)?.prompt).toContain('limit of the account, which is over now')
  const [limit] = eventsOf(home, run, 'session-reported').flatMap(({ report }) =>
    report.kind === 'limit' ? [report] : [],
  )
  expect(eventsOf(home, run, 'session-started').at(-1)!.at).toBeGreaterThan(limit!.resetsAtMs)
})
