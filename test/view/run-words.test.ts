import { describe, expect, test } from 'vitest'
import type { RunEvent, Stamped } from '../../src/contract/event.ts'
import { CAUSES, type RunDetail, RunStatus } from '../../src/contract/run.ts'
import { EXIT_CODES, endWords, eventTeller, runsTable } from '../../src/view/run-words.ts'
import { showLines } from '../../src/view/show-lines.ts'

const NOW = Date.parse('2026-01-01T01:00:00.000Z')
const ESCAPES = '\x1b]0;owned\x07\x1b[31m\u202e'

function run(change: Partial<RunDetail> = {}): RunDetail {
  const session = '11111111-1111-4111-8111-111111111111'
  const startedAt = '2026-01-01T00:00:00.000Z'
  const endedAt = '2026-01-01T00:02:05.000Z'
  return {
    id: 'k3v9x0ab',
    kind: 'session',
    parent: null,
    status: 'complete',
    cause: 'finished',
    proven: null,
    project: '/home/joe/shop',
    iteration: null,
    maxIterations: null,
    waitsUntil: null,
    steps: null,
    costUsd: 0.42,
    startedAt,
    endedAt,
    sentence: CAUSES.finished,
    session,
    driver: 'headless',
    model: null,
    seq: 9,
    turns: [{ turn: 1, session, state: 'ended', pid: 7, startedAt, endedAt, exit: 'exit 0', costUsd: 0.42 }],
    messagesWaiting: 0,
    prompt: 'mend it',
    result: 'mended',
    notes: [],
    diskBytes: 1_234,
    directory: '/state/runs/k3v9x0ab',
    ...change,
  }
}

describe('the last line of a run', () => {
  test('says what, why, how long, how much, and what to type next [view-end-words]', () => {
    expect(endWords(run(), NOW)).toBe(
      'complete: the session ended its turn without an error, 2 m 05 s, $0.42; to go on: rehoboam resume k3v9x0ab "<text>"',
    )
  })

  test.for(RunStatus.options)('names a command that fits a run that is %s [view-end-words]', status => {
    const words = endWords(run({ status, endedAt: status === 'active' ? null : run().endedAt }), NOW)
    expect(words).toMatch(status === 'active' ? /rehoboam logs -f k3v9x0ab/ : /rehoboam resume k3v9x0ab/)
    expect(words.startsWith(`${status}: `)).toBe(true)
  })

  test('a run that has not ended is reckoned until now [view-end-words]', () => {
    expect(endWords(run({ status: 'paused', endedAt: null }), NOW)).toContain('1 h 00 m')
  })

  test('every status has the exit code that the papers give it [cli-exit-codes]', () => {
    const { active, ...codes } = EXIT_CODES
    expect(active).not.toBe(0)
    expect(codes).toEqual({
      complete: 0,
      failed: 1,
      stalled: 3,
      'over-budget': 4,
      cancelled: 5,
      paused: 6,
      blocked: 6,
    })
  })
})

describe('what happened, in a line', () => {
  const said = (event: Partial<RunEvent> & { type: RunEvent['type'] }) => eventTeller()(event as Stamped)

  test.for([
    [{ type: 'session-started', turn: 1 }, null],
    [{ type: 'session-started', turn: 2 }, 'turn 2 started'],
    [{ type: 'session-ended', exit: { how: 'vanished' } }, 'the session was cut off'],
    [{ type: 'session-ended', exit: { how: 'exited', code: 1 } }, null],
    [{ type: 'session-ended', exit: { how: 'exited', code: 137 } }, 'the session was cut off (exit 137)'],
    [{ type: 'timer-fired', timer: 'crash-wait' }, 'it goes on where it was cut off'],
    [
      { type: 'session-not-started', cause: 'project-missing', names: [] },
      `could not start: ${CAUSES['project-missing']}`,
    ],
    [{ type: 'cancel-requested' }, 'cancelled'],
    [{ type: 'pause-requested' }, 'paused'],
    [{ type: 'resume-requested' }, 'resumed'],
    [{ type: 'told' }, 'a message was left for the next turn'],
    [{ type: 'timer-fired' }, null],
  ] as const)('%j [view-plain-text]', ([event, words]) => {
    expect(said(event as never)).toBe(words)
  })

  const VANISHED = { type: 'session-ended', exit: { how: 'vanished' } } as const
  const CUT_OFF = 'the session was cut off'

  test.for([
    [{ type: 'cancel-requested' }],
    [{ type: 'pause-requested' }],
    [{ type: 'question-asked' }],
    [{ type: 'timer-fired', timer: 'max-time' }],
    [{ type: 'timer-fired', timer: 'background' }],
    [{ type: 'session-reported', report: { kind: 'result' } }],
    [{ type: 'resume-requested', into: 'pane' }],
  ] as const)('a session that is gone after %j was not cut off, the next one may be [view-plain-text]', ([cause]) => {
    const tell = eventTeller()
    const told = [{ type: 'session-started', turn: 1 }, cause, VANISHED, VANISHED].map(event => tell(event as never))
    expect(told.slice(2)).toEqual([null, CUT_OFF])
  })

  test('a pane that a person has for themselves is said once, until it is given back; closed, it was not cut off [view-plain-text]', () => {
    const theirs = { type: 'session-reported', report: { kind: 'taken-over' } }
    const closed = { type: 'session-ended', exit: { how: 'exited', code: 129 } }
    const tell = eventTeller()
    const told = [theirs, theirs, { type: 'resume-requested' }, theirs, closed, closed].map(event =>
      tell(event as never),
    )
    const taken = 'somebody types in its pane: the run pauses until it is resumed'
    expect(told).toEqual([taken, null, 'resumed', taken, null, 'the session was cut off (exit 129)'])
  })

  test('a paused run that goes on in a pane, and is cut off there, says so [view-plain-text]', () => {
    const tell = eventTeller()
    const events = [
      { type: 'session-started', turn: 1 },
      { type: 'pause-requested' },
      VANISHED,
      { type: 'resume-requested', into: 'pane' },
      { type: 'session-started', turn: 2 },
      VANISHED,
    ]
    expect(events.map(event => tell(event as never)).at(-1)).toBe(CUT_OFF)
  })

  test('nothing in it can move a cursor [view-plain-text]', () => {
    const spec = { project: `/p${ESCAPES}` }
    expect(said({ type: 'run-created', run: 'k3v9x0ab', spec } as never)).toBe('run k3v9x0ab in /p')
    const names = { cause: 'client-missing', names: [`/bin/${ESCAPES}x`] }
    expect(said({ type: 'session-not-started', ...names } as never)).toBe(
      `could not start: ${CAUSES['client-missing']}: /bin/x`,
    )
    expect(said({ type: 'journal-repaired', reason: `torn${ESCAPES}`, bytes: 3 } as never)).toBe(
      'the journal was damaged (torn); 3 bytes are set aside',
    )
  })
})

describe('a page about a run', () => {
  test('says where it stands, what was asked and what came of it [cli-show]', () => {
    const page = showLines(run({ messagesWaiting: 2, notes: ['started without EDITOR'] }), NOW).join('\n')
    for (const fact of ['k3v9x0ab', 'complete: the session ended', '/home/joe/shop', '1 h ago', '2 m 05 s', '$0.42']) {
      expect(page).toContain(fact)
    }
    expect(page).toMatch(/\nwaiting +2 messages for the next turn\n/)
    expect(page).toMatch(/turn +state +took +cost +end\n +1 +ended +2 m 05 s +\$0.42 +exit 0\n/)
    expect(page).toMatch(/\nprompt\n {2}mend it\n/)
    expect(page).toMatch(/\nlast message\n {2}mended\nnote: started without EDITOR$/)
  })

  test('a run that asks is not said to work: its question stands there, with what to type [inbox-run-asks]', () => {
    const question = {
      id: '1234abcd-1',
      kind: 'question' as const,
      text: 'which one?',
      options: [],
      tool: null,
      why: null,
    }
    const questions = [{ ...question, run: 'k3v9x0ab', agent: null, step: null, since: '', project: '/home/joe/shop' }]
    const asks = { status: 'active' as const, endedAt: null, sentence: 'the session is working', asks: 1, questions }
    const page = (change: Partial<RunDetail>) => showLines(run({ ...asks, ...change }), NOW).join('\n')
    expect(page({})).toMatch(/\nstatus +active, asks you\nasks +which one\? {2}\(rehoboam answer 1234abcd\)\n/)
    // Others of it may be at work.
    expect(page({ kind: 'pool', sentence: 'workers work' })).toMatch(/\nstatus +active, asks you: workers work\n/)
    expect(page({ asks: 5, questions: Array(5).fill(questions[0]) })).toMatch(/\nasks +2 more: rehoboam inbox\n/)
    const loop = run({ ...asks, kind: 'loop', iteration: 2, maxIterations: 50 })
    expect(runsTable([loop], NOW)[1]).toContain('  active 2/50, asks you  ')
    expect(endWords(run({ ...asks, status: 'blocked' }), NOW)).toMatch(/; rehoboam answer 1234abcd "<text>" goes on$/)
  })

  test('shows the beginning of a long prompt and how much more there is [cli-show]', () => {
    const page = showLines(run({ prompt: Array.from({ length: 1000 }, (_, n) => `line ${n}`).join('\n') }), NOW)
    expect(page.filter(line => line.startsWith('  line'))).toHaveLength(12)
    expect(page).toContain('  … 988 more lines')
  })

  test('and a list of runs hold nothing that a terminal could obey [cli-show]', () => {
    const evil = run({ project: ESCAPES, prompt: ESCAPES, result: `a\rb${ESCAPES}`, notes: [ESCAPES], model: ESCAPES })
    const text = [...showLines({ ...evil, sentence: ESCAPES }, NOW), ...runsTable([evil], NOW)].join('\n')
    expect(text).not.toMatch(/[\p{Cc}--\n]|\u202e/v)
  })

  test('a list of runs has a line for each, the cost to the right [cli-show]', () => {
    expect(runsTable([run(), run({ id: 'zzzzzzzz', status: 'over-budget', costUsd: 12 })], NOW)).toEqual([
      'run       kind     status       started    cost  project',
      'k3v9x0ab  session  complete     1 h ago   $0.42  /home/joe/shop',
      'zzzzzzzz  session  over-budget  1 h ago  $12.00  /home/joe/shop',
    ])
  })
})
