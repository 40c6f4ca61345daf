import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { clientOf, killDaemon } from '../daemon/processes.ts'
import { asking, inboxOf } from '../inbox/scene.ts'
import { kill, type TempHome, tempHome } from '../support/temp-home.ts'
import { eventsOf, loggedInClient, questions, resume, spawnRun, untilRun, untilStatus } from './runs.ts'

/** What names another session, and what names our own run or somebody's panes. */
const DROPPED = [
  ...['AI_AGENT', 'CLAUDE_PID', 'CLAUDE_EFFORT', 'CLAUDE_PROJECT_DIR'],
  ...[
    'SESSION_ID',
    'CHILD_SESSION',
    'ENTRYPOINT',
    'EXECPATH',
    'MESSAGING_SOCKET',
    'MESSAGING_TOKEN',
    'SESSION_ATTENDED',
  ].map(name => `CLAUDE_CODE_${name}`),
  ...['TEAM_NAME', 'AGENT_ID', 'AGENT_NAME', 'AGENT_TYPE', 'SSE_PORT'].map(name => `CLAUDE_CODE_${name}`),
  ...['TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'REHOBOAM_TOKEN', 'REHOBOAM_LOOP_DIR', 'REHOBOAM_TURN'],
]
const HANGING = [...turns({ attempt: 1 }, say('First.', { fault: { kind: 'hang' } })), { reply: say('I remember.') }]

test('a session gets its caller’s environment, less what names another session, and its own three names [session-environment]', async () => {
  await using home = await tempHome({
    client: 'either',
    scenario: turns({}, bash('env -0 > environment'), say('Done.')),
  })
  const foreign = Object.fromEntries(DROPPED.map(name => [name, 'of-another-session']))
  const mine = { MY_OWN: 'a value', MY_LINES: 'one\ntwo', EMPTY: '' }
  const ended = await home.rehoboam(['spawn', '--prompt', 'Do it', '--allowed-tools', 'Bash', '--wait'], {
    ...foreign,
    ...mine,
  })
  expect(ended.code).toBe(0)

  const seen = environmentIn(join(home.project, 'environment'))
  expect(Object.entries(seen).filter(([, value]) => value === 'of-another-session')).toEqual([])
  expect(seen).toMatchObject({ ...mine, HOME: home.user, REHOBOAM_HOME: home.home, REHOBOAM_RUN: home.runs()[0] })
  expect(seen.REHOBOAM_TOKEN).toMatch(/^[0-9a-f-]{36}\.[\w-]{43}$/)
  expect(
    Object.keys(seen)
      .filter(name => name.startsWith('REHOBOAM_'))
      .sort(),
  ).toEqual(['REHOBOAM_HOME', 'REHOBOAM_RUN', 'REHOBOAM_TOKEN', 'REHOBOAM_TURN'])
  // The daemon was started by the same command, and must not pass its own on.
  const daemon = environmentIn(`/proc/${home.daemonPid()}/environ`)
  expect(
    Object.keys(daemon).filter(name => name in mine || DROPPED.includes(name) || name.startsWith('ANTHROPIC')),
  ).toEqual([])
})

test('CLAUDECODE and REHOBOAM_RUN of a caller do not reach a session either [session-environment]', async () => {
  await using home = await tempHome({ scenario: turns({}, bash('env -0 > environment'), say('Done.')) })
  const env = { CLAUDECODE: 'of-another-session', REHOBOAM_RUN: 'of-another-session' }
  const run = await spawnRun(home, 'Do it', { env })
  await untilStatus(home, run, 'complete')
  const seen = environmentIn(join(home.project, 'environment'))
  expect([seen.CLAUDECODE, seen.REHOBOAM_RUN]).toEqual(['1', run])
})

test('a session that must be started again after a restart pauses for lost credentials, names them, and resume mends it; in the inbox deny cancels it [session-needs-environment] [inbox-paused]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  const run = await spawnRun(home, 'Do it', { env: { AWS_PROFILE: 'work', MY_OWN: 'x' } })
  await cutOffAcrossRestart(home, run)

  const paused = await untilStatus(home, run, 'paused')
  expect(paused.cause).toBe('needs-environment')
  expect(paused.sentence).toMatch(/credentials that the run was started with are gone: ANTHROPIC_API_KEY, AWS_PROFILE$/)
  expect(questions(home)).toHaveLength(1)
  const { id, kind, text } = await asking(home)
  expect([kind, text]).toEqual(['environment', expect.stringContaining('ANTHROPIC_API_KEY, AWS_PROFILE; in a shell')])
  expect((await home.rehoboam(['deny', id])).code).toBe(0)
  await untilStatus(home, run, 'cancelled')
  expect(await inboxOf(home)).toEqual([])
  const journal = readFileSync(join(home.home, 'runs', run, 'journal.ndjson'), 'utf8')
  expect(journal).not.toContain(home.env.ANTHROPIC_API_KEY)

  await resume(home, run)
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ result: 'I remember.', notes: [] })
})

test('variables that are no credentials are dropped by a restart, and it is said which [session-needs-environment]', async () => {
  await using home = await tempHome({ scenario: HANGING })
  const env = { ...loggedInClient(home), MY_OWN: 'x', MY_OTHER: 'y', REHOBOAM_ENV_KEEP: 'MY_OTHER' }
  const run = await spawnRun(home, 'Do it', { env })
  await cutOffAcrossRestart(home, run)
  const { notes } = await untilStatus(home, run, 'complete')
  expect(notes).toEqual(['started without MY_OWN: lost when the daemon restarted'])
  expect(eventsOf(home, run, 'session-started').map(({ without }) => without)).toEqual([[], ['MY_OWN']])
})

/** The daemon loses its memory, and then the session is cut off. */
async function cutOffAcrossRestart(home: TempHome, run: string): Promise<void> {
  await home.model.waitFor(() => true)
  const {
    turns: [turn],
  } = await untilRun(home, run, ({ turns: [turn] }) => turn?.pid != null, 'the start to be written down')
  await killDaemon(home)
  kill(clientOf(turn!.pid!))
}

function environmentIn(path: string): Record<string, string> {
  const entries = readFileSync(path, 'utf8').split('\0').filter(Boolean)
  return Object.fromEntries(
    entries.map(entry => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )
}
