import { describe, expect, test } from 'vitest'
import { RehoboamError } from '../../src/contract/errors.ts'
import { commandOf } from '../../src/tui/deed.ts'
import { desk } from './desk.ts'
import { LOOP, POOL, QUEST, question, run } from './stage.ts'

const [FIRST, SECOND, THIRD] = [0, 1, 2].map(n => question(n).id) as [string, string, string]
const answered = (id: string, answer: unknown, always = 'no') => ({
  path: `/v1/inbox/${id}/answer`,
  body: { answer, face: 'tui', always },
})
const NO = { kind: 'deny', reason: 'the user said no' }

describe('the inbox is answered by keys', () => {
  test('marked questions are answered together, each by a request of its own, and nothing is marked then [tui-answers]', async () => {
    const at = desk()
    at.keys('i  ')
    expect(at.screen()).toContain('2 marked')
    at.keys('y')
    expect(await at.asks(2)).toEqual([answered(FIRST, { kind: 'allow' }), answered(SECOND, { kind: 'allow' })])
    await at.sees('allowed: 2 questions')
    expect(at.store.ui.marked.size).toBe(0)
    // The last mark stays where it was put; esc takes marks away before it leaves the view.
    at.keys('<home> <escape>n')
    expect(await at.asks()).toEqual([answered(SECOND, NO)])
  })

  test('one that somebody else has answered keeps the others from nothing, and is said [tui-answers]', async () => {
    const taken = new RehoboamError('already', 'somebody has answered it')
    const at = desk({ refuse: path => (path.includes(FIRST) ? taken : null) })
    at.keys('i  y')
    expect(await at.asks(2)).toHaveLength(2)
    await at.sees('somebody has answered it')
  })

  test('options have numbers, and what is no option is no answer; a text, a reason, always for this run [tui-answers]', async () => {
    const at = desk()
    at.keys('ijj4')
    at.keys('2')
    expect(await at.asks()).toEqual([answered(THIRD, { kind: 'text', text: '2' })])
    at.keys('aper line<enter>')
    expect(await at.asks()).toEqual([answered(THIRD, { kind: 'text', text: 'per line' })])
    at.keys('kkY')
    expect(await at.asks()).toEqual([answered(FIRST, { kind: 'allow' }, 'run')])
    await at.sees('rule Bash(ls *)')
    at.keys('Nnot today<enter>')
    expect(await at.asks()).toEqual([answered(FIRST, { kind: 'deny', reason: 'not today' })])
    at.keys('a<enter>')
    at.keys('anever mind<escape>y')
    expect(await at.asks()).toEqual([answered(FIRST, { kind: 'allow' })])
  })

  test('when the chosen question is closed by somebody else, the next one is not answered in its place [tui-answers]', async () => {
    const at = desk()
    at.keys('i')
    const { inbox } = at.store.board
    const rest = inbox.questions.slice(1)
    const nothing = { agents: [], left: [], runs: [], happenings: [], omitted: 0 }
    at.store.take({ type: 'changed', ...nothing, inbox: { ...inbox, questions: rest } })
    at.screen()
    at.keys('y')
    expect(at.screen()).toContain('the question that you had chosen is closed')
    at.keys('y')
    expect(await at.asks()).toEqual([answered(SECOND, { kind: 'allow' })])
    // That one was closed by the answer itself: the next is answered by the next key.
    at.store.take({ type: 'changed', ...nothing, inbox: { ...inbox, questions: rest.slice(1) } })
    at.screen()
    at.keys('y')
    expect(await at.asks()).toEqual([answered(THIRD, { kind: 'allow' })])
  })
})

const post = (path: string, body: unknown) => ({ path: `/v1/${path}`, body })
const environment = { LANG: 'C' }
const task = (verb: string, id: string | null, text: string | null = null) =>
  post(`tasks/${verb}`, { run: POOL, directory: '/', task: id, text, loopDirectory: null })

const onLoop = { name: 'run', id: LOOP } as const
const onPool = { name: 'run', id: POOL } as const
const onQuest = { name: 'run', id: QUEST } as const

/** In which view, which keys, the request that the command of the same name would send, and what is said of it. */
const DEEDS: [
  claim: string,
  view: { name: 'run'; id: string } | null,
  keys: string,
  request: { path: string; body: unknown },
  words: string,
][] = [
  ['p pauses', onLoop, 'p', post(`runs/${LOOP}/pause`, {}), `run ${LOOP} is being paused`],
  ['R goes on', onLoop, 'R', post(`runs/${LOOP}/resume`, { text: null, environment }), `run ${LOOP} goes on`],
  ['X cancels after a yes', onLoop, 'Xy', post(`runs/${LOOP}/cancel`, {}), `run ${LOOP} is being cancelled`],
  [
    't tells',
    onLoop,
    'tuse tabs<enter>',
    post(`runs/${LOOP}/tell`, { text: 'use tabs' }),
    `run ${LOOP} will be told at its next turn`,
  ],
  [
    'v marks the verdict of the chosen iteration wrong',
    onLoop,
    'kvit was done<enter>',
    post(`runs/${LOOP}/verdict`, { iteration: 2, wrong: 'it was done' }),
    `run ${LOOP}: the verdict on iteration 2 is marked wrong`,
  ],
  [
    'B puts the chosen iteration into a branch',
    onLoop,
    'kBy',
    post(`runs/${LOOP}/restore`, { iteration: 2, branch: null, worktree: null }),
    'iteration 2 is branch rehoboam-restored/k3v9x0ab-2',
  ],
  [
    'R tries a step again that asks',
    onQuest,
    'GR',
    post(`runs/${QUEST}/retry`, { step: 'settings' }),
    `run ${QUEST}: settings is tried again`,
  ],
  [
    'S leaves a step out',
    onQuest,
    'GSy',
    post(`runs/${QUEST}/skip`, { step: 'settings' }),
    `run ${QUEST}: left out: settings, later`,
  ],
  ['A adds a task', onPool, 'Aone more<enter>', task('add', null, 'one more'), 'task TASK-9 is added: more'],
  ['C claims a task', onPool, '<home>C', task('claim', 'TASK-000'), 'task TASK-000 is yours: more'],
  ['C gives back what is yours', onPool, '<home>jC', task('release', 'TASK-001'), 'task TASK-001 is free again: more'],
  ['f says that a task is done', onPool, '<home>fy', task('done', 'TASK-000'), 'task TASK-000 is done: more'],
  ['F freezes after a yes', null, 'Fy', post('freeze', {}), '2 runs frozen; F lets them go on'],
  ['m mutes for half an hour', null, 'm', post('inbox/mute', { forMs: 1_800_000 }), 'muted until 12:30 UTC; m ends it'],
]

describe('a key asks for what the command of the same name asks for, and says what came of it', () => {
  test.each(DEEDS)('%s [tui-deeds]', async (_, view, keys, request, words) => {
    const at = desk()
    if (view) at.store.ui = { ...at.store.ui, views: [{ name: 'agents' }, view] }
    at.keys('')
    if (view) await at.sees(/ judge | workers | slot 1 /)
    at.keys(keys)
    expect((await at.asks()).at(-1)).toEqual(request)
    await at.sees(words)
  })

  test('m ends a mute and says so [tui-deeds]', async () => {
    const at = desk({ mutedUntil: '2026-11-16T12:30:00.000Z' })
    at.keys('m')
    expect(await at.asks()).toEqual([post('inbox/mute', { forMs: 0 })])
    await at.sees('not muted any more')
  })

  test('M merges after a yes, with the checks, and says what came of it [tui-deeds]', async () => {
    const at = desk()
    at.keys('rMn')
    at.keys('My')
    const [request] = await at.asks()
    expect(request).toMatchObject({ path: expect.stringMatching(/\/merge$/), body: { squash: false, ward: true } })
    await at.sees('main is now at 0123456789: 2 files changed, checks green')
  })

  test('n on a loop that asks nothing ends it after this iteration; E opens the plan of a quest [tui-deeds]', async () => {
    const at = desk({ runs: [run('l00p0009'), run(QUEST, { kind: 'quest', startedAt: '2026-01-01T00:00:00Z' })] })
    at.keys('rny')
    expect(await at.asks()).toEqual([post('runs/l00p0009/reject', {})])
    at.keys('E')
    expect(at.screen()).toContain('is a loop and has no plan')
    at.keys('jE')
    await at.sees('has a new plan')
    expect(at.edited).toEqual([QUEST])
  })

  test('what is frozen is let go on by the same key; what no run is for is said [tui-deeds]', async () => {
    const at = desk({ runs: [run(LOOP, { status: 'paused', cause: 'paused-by-user' })] })
    at.keys('Fy')
    expect(await at.asks()).toEqual([post('thaw', { environment })])
    await at.sees('2 runs on again')
    const nobody = desk({ agents: 0 })
    for (const key of ['p', 'X', 'M', 'B', 'E', 'S', 'A', 'v', 't', 'y', 'F']) nobody.keys(key)
    expect(nobody.store.ui.dialog).toBeNull()
    expect(nobody.screen()).toContain('no run works')
    nobody.keys('q')
    expect(nobody.hasQuit()).toBe(true)
  })
})

test('c copies the command that shows or does the same, with ids that a shell takes as they are [tui-deeds]', () => {
  const at = desk()
  at.keys('ic')
  at.keys('jjc')
  at.keys('rc')
  at.keys('<enter>Dc')
  at.keys('gc')
  const [id] = at.store.board.withStatus('attention')
  expect(at.copied).toEqual([
    `rehoboam allow ${FIRST.slice(0, 8)}`,
    `rehoboam answer ${THIRD.slice(0, 8)} text`,
    expect.stringMatching(/^rehoboam show \w{8}$/),
    expect.stringMatching(/^rehoboam diff \w{8}$/),
    `rehoboam show ${id!.session.slice(0, 8)}`,
  ])
  const text = `it's $(rm -rf /) "so"`
  expect(commandOf({ do: 'tell', run: LOOP, text })).toBe(`rehoboam tell ${LOOP} 'it'\\''s $(rm -rf /) "so"'`)
})
