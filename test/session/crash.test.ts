import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOST_NOTE } from '../../src/core/notes.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { clientOf, sessionProcessesOf } from '../daemon/processes.ts'
import { kill, type TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { homeWithGuests } from './guest.ts'
import {
  eventsOf,
  linesOf,
  loggedInClient,
  questions,
  resume,
  scriptClient,
  show,
  spawnRun,
  untilInTranscript,
  untilRun,
  untilStatus,
} from './runs.ts'

const guest = homeWithGuests({ client: 'either' })
const CUT_OFF = [
  ...turns({ attempt: 1 }, bash('echo once >> done'), say('Never heard.', { fault: { kind: 'hang' } })),
  { reply: say('I remember.') },
]

test('a client that is killed with -9 in mid turn is resumed by itself, told that it was cut off [session-crash-resumed]', async () => {
  await using home = await guest(CUT_OFF)
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(({ turn }) => turn === 1)
  const { session } = await show(home, run)
  await untilInTranscript(home, session!, 'tool_result')
  await killClient(home, run, 1)

  const ended = await untilStatus(home, run, 'complete')
  expect(ended).toMatchObject({ cause: 'finished', result: 'I remember.' })
  expect(ended.turns.map(({ exit, session }) => [exit, session])).toEqual([
    ['exit 137', ended.session],
    ['exit 0', ended.session],
  ])
  const last = questions(home).at(-1)!
  expect(last.prompt).toMatch(
    /^\[rehoboam run=\w+ role=session attempt=2\]\nYou were cut off in the middle of your work.* Look at the state of the project first/,
  )
  expect(JSON.stringify(last.messages)).toContain('echo once >> done')
  expect(linesOf(home.project, 'done')).toEqual(['once'])
})

test('a client that is killed before it has written a message down begins again under its id, with its whole task [session-crash-resumed]', async () => {
  await using home = await guest([{ reply: say('From the beginning.') }])
  const killedOnce = [
    `if mkdir '${join(home.root, 'killed-once')}' 2>/dev/null; then`,
    'while [ "$1" != --session-id ]; do shift; done',
    'folder="$HOME/.claude/projects/$(pwd | sed "s/[^A-Za-z0-9]/-/g")"',
    'mkdir -p "$folder"',
    `printf '{"type":"mode","mode":"normal","sessionId":"%s"}\n' "$2" > "$folder/$2.jsonl"`,
    'kill -9 $$',
    'fi',
    `exec '${home.env.REHOBOAM_CLAUDE}' "$@"`,
  ]
  const client = scriptClient(home, 'killed-once-client', killedOnce.join('\n'))
  const run = await spawnRun(home, 'Do it', { env: { REHOBOAM_CLAUDE: client } })
  const ended = await untilStatus(home, run, 'complete', 'failed')
  expect(ended).toMatchObject({ status: 'complete', result: 'From the beginning.' })
  expect(ended.turns.map(({ exit, session }) => [exit, session])).toEqual([
    ['exit 137', ended.session],
    ['exit 0', ended.session],
  ])
  expect(questions(home).map(({ prompt }) => prompt)).toEqual([
    `[rehoboam run=${run} role=session attempt=2]\n${LOST_NOTE}\n\nDo it`,
  ])
})

test('a session that is cut off again and again is resumed as often as configured, then the run has failed [session-crash-resumed]', async () => {
  await using home = await guest(turns({}, say('Never heard.', { fault: { kind: 'hang' } })))
  const waiting = home.start(['spawn', '--prompt', 'Do it', '--wait'], { REHOBOAM_SESSION_CRASH_RETRIES: '1' })
  for (const attempt of [1, 2]) {
    await home.model.waitFor(({ line }) => line.attempt === String(attempt))
    await killClient(home, home.runs()[0]!, attempt)
  }
  const ended = await waiting.ended
  expect(ended.code).toBe(1)
  expect(ended.out).toContain('failed: the session was cut off again and again')
  const run = await show(home, home.runs()[0]!)
  expect([run.status, run.cause, run.turns.length]).toEqual(['failed', 'crashed', 2])
  expect(questions(home)).toHaveLength(2)
})

test('a session that said something after it was cut off has its tries anew [session-crash-resumed]', async () => {
  await using home = await guest([
    ...turns({ attempt: 1 }, say('', { fault: { kind: 'hang' } })),
    ...turns({ attempt: 2 }, say('Here.')),
    ...turns({ attempt: 3 }, say('', { fault: { kind: 'hang' } })),
    { reply: say('Here again.') },
  ])
  const run = await spawnRun(home, 'Do it', { env: { REHOBOAM_SESSION_CRASH_RETRIES: '1' } })
  await home.model.waitFor(({ line }) => line.attempt === '1')
  await killClient(home, run, 1)
  await untilStatus(home, run, 'complete')
  await resume(home, run, 'More', { REHOBOAM_SESSION_CRASH_RETRIES: '1' })
  await home.model.waitFor(({ line }) => line.attempt === '3')
  await killClient(home, run, 3)
  expect(await untilStatus(home, run, 'complete', 'failed')).toMatchObject({
    status: 'complete',
    result: 'Here again.',
  })
})

test.each(['there', 'away'])(
  'client and wrapper killed together are noticed and resumed, with the daemon %s [session-crash-resumed]',
  async daemon => {
    await using home = await guest(CUT_OFF)
    const run = await spawnRun(home, 'Do it', { env: loggedInClient(home) })
    await home.model.waitFor(({ turn }) => turn === 1)
    await untilRun(home, run, ({ turns: [turn] }) => turn?.pid != null, 'the start to be written down')
    if (daemon === 'away') await home.daemon.stop(null)
    for (const pid of sessionProcessesOf(home)) kill(pid)
    if (daemon === 'away') await home.daemon.ready()
    const ended = await untilStatus(home, run, 'complete')
    expect(ended.turns.map(({ exit }) => exit)).toEqual(['vanished', 'exit 0'])
  },
)

test('a wrapper that is killed alone is no crash: its client is followed to its end [session-crash-resumed]', async () => {
  await using home = await guest(turns({}, say('Done.', { fault: { kind: 'hang', name: 'hold' } })))
  const run = await spawnRun(home, 'Do it')
  await home.model.waitFor(() => true)
  const {
    turns: [turn],
  } = await untilRun(home, run, ({ turns: [turn] }) => turn?.pid != null, 'the start')
  kill(turn!.pid!)
  await until(() => !home.processes().includes(turn!.pid!), 'the wrapper to be gone')
  home.model.release('hold')
  expect(await untilStatus(home, run, 'complete')).toMatchObject({ result: 'Done.' })
  expect(eventsOf(home, run, 'session-started')).toHaveLength(1)
})

test('a client that ends at once with an error fails the run, and what it said is shown [session-client-missing]', async () => {
  await using home = await guest()
  const client = scriptClient(home, 'refusing-client', 'echo "error: unknown option --frobnicate" >&2; exit 1')
  const ended = await home.rehoboam(['spawn', '--prompt', 'Do it', '--wait'], { REHOBOAM_CLAUDE: client })
  expect(ended.code).toBe(1)
  expect(ended.out).toContain('failed: the client ended before the session began')
  expect(ended.err).toContain('note: the client said: error: unknown option --frobnicate')
  const run = await show(home, home.runs()[0]!)
  expect(run).toMatchObject({ status: 'failed', cause: 'client-refused', turns: [{ exit: 'exit 1' }] })
})

test('the client’s own refusal is shown as it said it [session-client-missing]', async () => {
  await using home = await guest()
  const ended = await home.rehoboam(['spawn', '--prompt', 'Do it', '--wait', '--', '--no-such-option'])
  expect([ended.code, ended.err]).toEqual([
    1,
    expect.stringContaining("note: the client said: error: unknown option '--no-such-option'"),
  ])
})

/** The client of a turn, with -9, as the system does when memory is short. */
async function killClient(home: TempHome, run: string, turn: number): Promise<void> {
  const { turns: all } = await untilRun(
    home,
    run,
    ({ turns: all }) => all[turn - 1]?.pid != null,
    `turn ${turn} to be written down`,
  )
  kill(clientOf(all[turn - 1]!.pid!))
}
