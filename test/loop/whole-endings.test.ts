import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { show } from '../session/runs.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { gitProject, iterationsOf, spawnLoop } from './projects.ts'

const CLAIM = 'All of it is there.\n\nDONE'
const MORE = 'There is more to do.'

type Story = {
  /** Names the loop: it stands in every prompt. */
  anchor: string
  each: { runs: string; says: string }[]
  args?: string[]
  git?: boolean
  gives: { status: string; cause: string; iteration: number; proven?: boolean | null }
}

const times = (count: number, each: (n: number) => { runs: string; says: string }) =>
  Array.from({ length: count }, (_, n) => each(n + 1))
const moves = (says: string) => (n: number) => ({ runs: `echo ${n} > work.txt`, says })

const STORIES: Story[] = [
  {
    anchor: 'ends by a promise',
    each: [moves('<promise>DONE</promise>')(1)],
    gives: { status: 'complete', cause: 'promise', iteration: 1, proven: false },
  },
  {
    anchor: 'ends by its judge',
    each: [moves('All tasks are completed and the implementation is complete.')(1)],
    gives: { status: 'complete', cause: 'judged', iteration: 1, proven: false },
  },
  {
    anchor: 'ends for want of git',
    each: times(5, () => ({ runs: 'true', says: MORE })),
    git: false,
    gives: { status: 'stalled', cause: 'same-end', iteration: 5 },
  },
  {
    anchor: 'ends refused',
    each: times(3, n => ({ runs: `echo ${n} > broken`, says: CLAIM })),
    args: ['--ward', 'test ! -e broken'],
    gives: { status: 'stalled', cause: 'refused-claims', iteration: 3 },
  },
  {
    anchor: 'ends with its base',
    each: times(3, moves(CLAIM)),
    args: ['--ward', 'false'],
    gives: { status: 'stalled', cause: 'red-base', iteration: 3 },
  },
  {
    anchor: 'ends with a part of its base',
    each: [{ runs: 'touch one', says: CLAIM }],
    args: ['--ward', 'test -e one', '--ward', 'test -e two'],
    gives: { status: 'complete', cause: 'base-still-red', iteration: 1, proven: false },
  },
  {
    anchor: 'ends without its anchor',
    each: times(3, n => ({ runs: `echo ${n} > work.txt; rm -f .rehoboam/anchor.md`, says: MORE })),
    gives: { status: 'stalled', cause: 'anchor-changed', iteration: 3 },
  },
  {
    anchor: 'ends by its count',
    each: times(2, moves(MORE)),
    args: ['--no-ward', '--max-iterations', '2'],
    gives: { status: 'stalled', cause: 'max-iterations', iteration: 2 },
  },
]

// One too many of the same kind, in an iteration that moved something.
const ERRORS = 11
const missing = Array.from({ length: ERRORS }, (_, n) => tool('Read', { file_path: `missing-${n}.txt` }))
const FAILING = turns({ prompt: 'ends by its errors' }, bash('echo 1 > work.txt'), use(...missing), say(MORE))

const DENIED: RuleSource = { when: { prompt: 'ends denied' }, reply: { status: 401 } }

test('through the whole program each ending is reached by its own scenario: promise, judge, same end, refused, red base, a part of it, anchor, count, errors, failed; what is red three times is a lesson [loop-whole-endings] [loop-red-lesson]', async () => {
  const scenario = STORIES.flatMap(({ anchor, each }) => iterationsOf(anchor, ...each))
  await using home = await tempHome({ client: 'either', scenario: [DENIED, ...FAILING, ...scenario] })
  const ended = async ({ anchor, args, git = true }: Omit<Story, 'each' | 'gives'>) => {
    const directory = join(home.root, anchor)
    mkdirSync(directory)
    if (git) gitProject(directory)
    const run = await spawnLoop(home, directory, anchor, args)
    // Two dozen clients, of which a busy machine runs two at a time.
    const rested = async () => {
      const shown = await show(home, run).catch(() => null)
      return shown?.status === 'active' ? null : shown
    }
    const { status, cause, iteration, proven } = await until(rested, `"${anchor}" to end`, 360_000)
    return { anchor, status, cause, iteration, proven }
  }
  const all = await Promise.all([...STORIES, { anchor: 'ends denied' }, { anchor: 'ends by its errors' }].map(ended))
  const wanted = STORIES.map(({ anchor, gives }) => ({ anchor, ...gives }))
  expect(all).toMatchObject([
    ...wanted,
    { anchor: 'ends denied', status: 'failed', cause: 'auth', iteration: 1 },
    { anchor: 'ends by its errors', status: 'failed', cause: 'same-error', iteration: 1 },
  ])
  const lessons = readFileSync(join(home.root, 'ends refused', '.rehoboam', 'guardrails.md'), 'utf8')
  expect(lessons).toContain('This failed 3 times; do it another way, or find out why first: the check test ! -e broken')
})
