import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, rateLimited, say } from '../../src/rehearsal/replies.ts'
import { killDaemon } from '../daemon/processes.ts'
import { gitProject } from '../loop/projects.ts'
import { command } from '../pool/projects.ts'
import { eventsOf, linesOf, scriptClient, show, spawnRun, untilStatus } from '../session/runs.ts'
import { PUPPET, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { begins, rests, shown, simply, startQuest } from './story.ts'

const MOST = 2
const SCENARIO = [
  ...begins([{ id: 'a' }, { id: 'b' }]),
  ...simply(['a', 'b']),
  { when: { role: 'session' }, reply: say('Done.') },
]
const limitedFor = (resetInSeconds: number) => ({
  when: { role: 'chaoswhisperer', turn: 0 },
  times: 1,
  reply: rateLimited({ resetInSeconds }),
})

/** Logged in, so that it is told when a limit is over; says when it begins and ends. */
const CLIENT = `export CLAUDE_CODE_OAUTH_TOKEN=rehearsed CLAUDE_CODE_MAX_RETRIES=0 IS_SANDBOX=1
echo "+ $REHOBOAM_RUN $(date +%s%3N)" >> "$SESSIONS"
'${PUPPET}' "$@"; code=$?
echo "- $REHOBOAM_RUN" >> "$SESSIONS"
exit $code`

async function accountHome(resetInSeconds: number) {
  const home = await tempHome({ scenario: [limitedFor(resetInSeconds), ...SCENARIO] })
  delete home.env.ANTHROPIC_API_KEY
  home.env.REHOBOAM_CLAUDE = scriptClient(home, 'client', CLIENT)
  home.env.SESSIONS = join(home.root, 'sessions')
  home.env.REHOBOAM_ENV_KEEP = 'SESSIONS'
  home.env.REHOBOAM_SESSIONS_MAX = `${MOST}`
  gitProject(home.project, { 'README.md': 'hello\n' })
  return home
}

// Nobody is cut short who wants to end by itself.
const flags = { slots: '2', 'session.endGraceSec': '60' }

test('a limit of the account holds for all its runs, across a kill, and for nobody else’s; when nobody waits for it any more all go on, never more at once than allowed, and none starves [account-limit] [quest-several]', async () => {
  // An hour: it never passes here.
  await using home = await accountHome(3_600)
  const first = await startQuest(home, { flags })
  const known = await until(async () => (await shown(home, first)).quest!.waitsUntil, 'the limit to be known')
  expect(Date.parse(known)).toBeGreaterThan(await resetOf(home, first))

  // Whoever comes now waits too, unless the account is another one.
  const second = await startQuest(home, { flags })
  const session = await spawnRun(home, 'Do it')
  const theirs = { ...home, env: { ...home.env, CLAUDE_CONFIG_DIR: join(home.root, 'other') } }
  const other = await startQuest(theirs, { flags })
  expect((await shown(home, second)).quest!.waitsUntil).toBe(known)
  expect((await show(home, session)).notes.join()).toContain(`the account is at a limit until ${known}`)
  expect((await shown(home, other)).quest!.waitsUntil).toBeNull()
  expect((await home.rehoboam(['show', second])).out).toMatch(
    /limit +the account’s limit is over in (1 h 00 m|\d+ m \d\d s)/,
  )
  await killDaemon(home)
  expect((await shown(home, second)).quest!.waitsUntil).toBe(known)
  expect(await rests(home, other)).toMatchObject({ status: 'complete' })
  for (const run of [second, session]) expect(startsOf(home, run)).toEqual([])

  // One session stays until another one works beside it.
  const before = linesOf(home.root, 'sessions').length
  const held = { ...bash('echo a > a.txt'), fault: { kind: 'hang' as const, name: 'held' } }
  home.model.says({ when: { role: 'codeweaver', step: 'a', turn: 0 }, times: 1, reply: held })
  // Somebody who says that the limit is gone: nothing waits for it any more.
  await command(home, first, 'pause')
  await command(home, first, 'resume')
  await until(() => mostAtOnce(home, before) === MOST, 'two sessions at once')
  home.model.release('held')
  for (const run of [first, second]) expect(await rests(home, run)).toMatchObject({ status: 'complete' })
  await untilStatus(home, session, 'complete')
  expect(mostAtOnce(home, 0)).toBe(MOST)
  // Each had its turns while the other was not done.
  const turns = linesOf(home.root, 'sessions')
    .filter(line => line.startsWith('+'))
    .map(line => line.split(' ')[1]!.slice(0, 8))
  expect(turns.indexOf(second)).toBeLessThan(turns.lastIndexOf(first))
}, 1_500_000)

test('a limit that passes is waited for: nothing of its account starts before the reset, and the session that met it goes on itself [account-limit]', async () => {
  await using home = await accountHome(10)
  const first = await startQuest(home, { flags })
  // A session that starts before the limit is known meets it by itself.
  await until(async () => (await shown(home, first)).quest!.waitsUntil, 'the limit to be known')
  const reset = await resetOf(home, first)
  const session = await spawnRun(home, 'Do it')
  expect(await rests(home, first)).toMatchObject({ status: 'complete' })
  await untilStatus(home, session, 'complete')
  const [met, ...later] = startsOf(home, first)
  expect(met).toBeLessThan(reset)
  for (const start of [...later, ...startsOf(home, session)]) expect(start).toBeGreaterThanOrEqual(reset)
  expect((await shown(home, first)).quest!.sessions.filter(({ role }) => role === 'chaoswhisperer')).toHaveLength(1)
  const resumed = home.model.asked.find(({ prompt }) => prompt.includes('limit of the account, which is over now'))
  expect(resumed?.line).toMatchObject({ run: first, attempt: '2' })
}, 1_500_000)

/** The moment at which the limit is reset, as the client told it. */
function resetOf(home: TempHome, run: string): Promise<number> {
  const limits = () => {
    const child = home.runs().find(id => id.startsWith(`${run}.`))
    const reports = child ? eventsOf(home, child, 'session-reported') : []
    return reports.flatMap(({ report }) => (report.kind === 'limit' ? [report.resetsAtMs] : []))
  }
  return until(() => limits()[0], 'the limit to be reported')
}

/** How many sessions worked at the same time, at most, from this line of their log on. */
function mostAtOnce(home: TempHome, from: number): number {
  const log = linesOf(home.root, 'sessions').slice(from)
  let now = 0
  const atOnce = log.map(line => (now += line.startsWith('+') ? 1 : -1))
  return Math.max(0, ...atOnce)
}

/** When sessions of a run, or of its children, started. */
function startsOf(home: TempHome, run: string): number[] {
  const lines = linesOf(home.root, 'sessions').filter(line => line.startsWith(`+ ${run}`))
  return lines.map(line => Number(line.split(' ')[2]))
}
