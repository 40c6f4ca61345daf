import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rateLimited, say } from '../../src/rehearsal/lines.ts'
import { killDaemon } from '../daemon/processes.ts'
import { gitProject } from '../loop/projects.ts'
import { eventsOf, linesOf, scriptClient, show, spawnRun, untilStatus } from '../session/runs.ts'
import { PUPPET, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { begins, rests, shown, simply, startQuest } from './story.ts'

const MOST = 2
const SCENARIO = [
  { when: { role: 'chaoswhisperer', turn: 0 }, times: 1, reply: rateLimited({ resetInSeconds: 45 }) },
  ...begins([{ id: 'a' }, { id: 'b' }]),
  ...simply(['a', 'b']),
  { when: { role: 'session' }, reply: say('Done.') },
]

/** Logged in, so that it is told when a limit is over; says when it begins and ends. */
const CLIENT = `export CLAUDE_CODE_OAUTH_TOKEN=rehearsed CLAUDE_CODE_MAX_RETRIES=0 IS_SANDBOX=1
echo "+ $REHOBOAM_RUN $(date +%s%3N)" >> "$SESSIONS"
'${PUPPET}' "$@"; code=$?
echo "- $REHOBOAM_RUN" >> "$SESSIONS"
exit $code`

test('a limit of the account holds for all its runs, across a kill, and for nobody else’s; then all go on, never more at once than allowed, and none starves [account-limit] [quest-several]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  delete home.env.ANTHROPIC_API_KEY
  home.env.REHOBOAM_CLAUDE = scriptClient(home, 'client', CLIENT)
  home.env.SESSIONS = join(home.root, 'sessions')
  home.env.REHOBOAM_ENV_KEEP = 'SESSIONS'
  home.env.REHOBOAM_SESSIONS_MAX = `${MOST}`
  gitProject(home.project, { 'README.md': 'hello\n' })
  // Nobody is cut short who wants to end by itself.
  const flags = { slots: '2', 'session.endGraceSec': '60' }

  const first = await startQuest(home, { flags })
  const known = await until(async () => (await shown(home, first)).quest!.waitsUntil, 'the limit to be known')
  const [child] = home.runs().filter(id => id.startsWith(`${first}.`))
  const [limit] = eventsOf(home, child!, 'session-reported').flatMap(({ report }) =>
    report.kind === 'limit' ? [report.resetsAtMs] : [],
  )
  expect(Date.parse(known)).toBeGreaterThan(limit!)

  // Whoever comes now waits too, unless the account is another one.
  const second = await startQuest(home, { flags })
  const session = await spawnRun(home, 'Do it')
  const theirs = { ...home, env: { ...home.env, CLAUDE_CONFIG_DIR: join(home.root, 'other') } }
  const other = await startQuest(theirs, { flags })
  expect((await shown(home, second)).quest!.waitsUntil).toBe(known)
  expect((await show(home, session)).notes.join()).toContain(`the account is at a limit until ${known}`)
  expect((await shown(home, other)).quest!.waitsUntil).toBeNull()
  expect((await home.rehoboam(['show', second])).out).toMatch(/limit +the account’s limit is over in \d+ s/)
  await killDaemon(home)
  expect((await shown(home, second)).quest!.waitsUntil).toBe(known)

  for (const run of [first, second, other]) expect(await rests(home, run)).toMatchObject({ status: 'complete' })
  await untilStatus(home, session, 'complete')
  const log = linesOf(home.root, 'sessions')
  for (const run of [second, session]) expect(firstStart(log, run)).toBeGreaterThanOrEqual(limit!)
  // The session that met the limit went on itself.
  expect((await shown(home, first)).quest!.sessions.filter(({ role }) => role === 'chaoswhisperer')).toHaveLength(1)
  const resumed = home.model.asked.find(({ prompt }) => prompt.includes('limit of the account, which is over now'))
  expect(resumed?.line).toMatchObject({ run: first, attempt: '2' })

  let now = 0
  const atOnce = log.map(line => (now += line.startsWith('+') ? 1 : -1))
  expect(Math.max(...atOnce)).toBe(MOST)
  // Each had its turns while the other was not done.
  const turns = log.filter(line => line.startsWith('+')).map(line => line.split(' ')[1]!.slice(0, 8))
  expect(turns.indexOf(second)).toBeLessThan(turns.lastIndexOf(first))
}, 1_500_000)

function firstStart(log: string[], run: string): number {
  return Number(log.find(line => line.startsWith(`+ ${run}`))?.split(' ')[2])
}
