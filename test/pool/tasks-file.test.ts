import { describe, expect, test } from 'vitest'
import { filesNamedIn, shareFiles } from '../../src/core/parent/files-named.ts'
import {
  EMPTY_TASKS,
  proposalsIn,
  type ShownTask,
  tasksIn,
  tickedIn,
  withTasks,
} from '../../src/core/pool/tasks-file.ts'
import fc from '../support/laws.ts'

const FILE = `# The plan

Some words of the planner.

## Pending
- [ ] [TASK-001] Set up the project
  Files: package.json
  - [ ] a sub-point, which is no task
- [ ] [TASK-002] Log users in
- [ ] Without an id

## In Progress
- [~] [TASK-003] Endpoints (worker: abcd1234.TASK-003)

## Completed
- [x] [TASK-000] Initialize

\`\`\`
- [ ] [TASK-900] an example in a code block
\`\`\`
- a bullet without a box
`

test('tasks are read with id, box, text and what is indented below; code and plain bullets are none [task-file-read]', () => {
  expect(tasksIn(FILE).map(({ id, box, text, section }) => [id, box, text, section])).toEqual([
    ['TASK-001', ' ', 'Set up the project\n  Files: package.json\n  - [ ] a sub-point, which is no task', 'pending'],
    ['TASK-002', ' ', 'Log users in', 'pending'],
    [null, ' ', 'Without an id', 'pending'],
    ['TASK-003', '~', 'Endpoints', 'in progress'],
    ['TASK-000', 'x', 'Initialize', 'completed'],
  ])
})

describe('what somebody wrote is a proposal [task-proposals]', () => {
  const taken = (file: string, known: { id: string; text: string }[] = []) => proposalsIn(file, known)

  test('new items with an empty box are taken in; one without an id is given one that nobody used', () => {
    const { added, problems } = taken(FILE)
    expect(added.map(({ id }) => id)).toEqual(['TASK-001', 'TASK-002', 'TASK-004'])
    expect(problems).toEqual([])
  })

  test.each([
    ['a tick', '- [x] [A] done already'],
    ['a claim', '- [~] [A] mine'],
    ['an item without words', '- [ ] [A]'],
    ['an item further in', '  - [ ] [A] a sub-point'],
    ['a link', '- a [x](y) in words'],
  ])('%s is not', (_, line) => {
    expect(taken(line)).toEqual({ added: [], problems: [] })
  })

  test.each([
    ['with a dot', '- [ ] [../../etc] away', /"\.\.\/\.\.\/etc" is no id/],
    ['that begins with -', '- [ ] [-rf] away', /"-rf" is no id/],
    ['of 65 characters', `- [ ] [${'a'.repeat(65)}] long`, /is no id/],
    ['that is reserved', '- [ ] [Planner] me', /"Planner" is a reserved word/],
    ['with a control character', '- [ ] [a\u001bc] red', /"a.?c?" is no id/],
  ])('an id %s is refused by name', (_, line, said) => {
    const { added, problems } = taken(line)
    expect(added).toEqual([])
    expect(problems.join()).toMatch(said)
    expect(problems.join()).not.toContain('\u001b')
  })

  test('a used id is never used again, in whatever case it is written', () => {
    const { added, problems } = taken('- [ ] [task-001] something else\n- [ ] [TASK-001] Set up', [
      { id: 'TASK-001', text: 'Set up' },
    ])
    expect([added, problems]).toEqual([[], ['the id task-001 is used already; a task keeps its id for ever']])
    expect(taken('- [ ] [A] one\n- [ ] [a] two').added).toEqual([{ id: 'A', text: 'one' }])
  })
})

describe('the file is written from the truth [task-file-kept]', () => {
  const shown = (id: string, text: string, box: ShownTask['box'] = ' ', worker: string | null = null): ShownTask => ({
    id,
    text,
    box,
    worker,
  })

  test('a task that nobody does any more is told apart, and what we write behind it is no part of it', () => {
    const tasks: ShownTask[] = [
      { ...shown('A', 'One'), notDone: 'failed' },
      { ...shown('B', 'Two'), notDone: 'left out' },
    ]
    const file = withTasks('', tasks)
    expect(file).toContain('- [ ] [A] One (not done: failed)\n- [ ] [B] Two (not done: left out)\n')
    expect(tasksIn(file).map(({ text }) => text)).toEqual(['One', 'Two'])
    expect(proposalsIn(file, tasks)).toEqual({ added: [], problems: [] })
  })

  test('a tick on what is not done is seen; marks that are late are none', () => {
    const file = '- [x] [A] One\n- [X] [b] Two\n- [~] [C] Three\n- [ ] [D] Four\n- [x] Five\n'
    const tasks = [shown('A', 'One', 'x'), shown('B', 'Two', '~'), shown('C', 'Three'), shown('D', 'Four', 'x')]
    expect(tickedIn(file, tasks)).toEqual(['b'])
  })

  test('a task moves to its section with what belongs to it, and everything around the tasks stays', () => {
    const text = 'Set up the project\n  Files: package.json\n  - [ ] a sub-point, which is no task'
    const tasks = [
      shown('TASK-000', 'Initialize', 'x'),
      shown('TASK-001', text, '~', 'abcd1234.TASK-001'),
      shown('TASK-002', 'Log users in'),
      shown('TASK-003', 'Endpoints', 'x'),
      shown('TASK-004', 'Without an id'),
    ]
    expect(withTasks(FILE, tasks)).toBe(`# The plan

Some words of the planner.

## Pending
- [ ] [TASK-002] Log users in
- [ ] [TASK-004] Without an id

## In Progress
- [~] [TASK-001] Set up the project (worker: abcd1234.TASK-001)
  Files: package.json
  - [ ] a sub-point, which is no task

## Completed
- [x] [TASK-000] Initialize
- [x] [TASK-003] Endpoints

\`\`\`
- [ ] [TASK-900] an example in a code block
\`\`\`
- a bullet without a box
`)
  })

  test('forged marks, changed words, doubles and deletions are put right', () => {
    const forged = '## Completed\n- [x] [A] one, and more\n- [x] [a] one again\nmy own words\n'
    const written = withTasks(forged, [shown('A', 'one'), shown('B', 'two')])
    expect(written).toContain('my own words')
    expect(tasksIn(written).map(({ id, box, text, section }) => [id, box, text, section])).toEqual([
      ['A', ' ', 'one', 'pending'],
      ['B', ' ', 'two', 'pending'],
    ])
  })

  test('an empty file gets its sections', () => {
    expect(withTasks('', [])).toBe(EMPTY_TASKS)
    expect(withTasks(EMPTY_TASKS, [shown('A', 'one')])).toBe(
      '## Pending\n- [ ] [A] one\n\n## In Progress\n\n## Completed\n',
    )
  })

  test('whatever the file was: each task once, nothing of it new, and writing again changes nothing', () => {
    const line = fc.constantFrom(
      '## Pending',
      '## In Progress',
      '## Completed',
      '# Plan',
      '- [ ] [A] one',
      '- [x] [A] one',
      '- [~] [B] two (worker: abcd1234.B)',
      '- [ ] [b] two',
      '  indented',
      '```',
      'words',
      '',
      '- [ ] one',
    )
    const task = (id: string, text: string) =>
      fc.constantFrom<ShownTask['box']>(' ', '~', 'x').map(box => shown(id, text, box, box === '~' ? 'r.x' : null))
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 14 }),
        fc.tuple(task('A', 'one'), task('B', 'two\n  more')),
        (lines, tasks) => {
          const once = withTasks(lines.join('\n'), tasks)
          expect(withTasks(once, tasks)).toBe(once)
          // What a code block shows is no task.
          if (lines.includes('```')) return
          expect(
            tasksIn(once)
              .flatMap(({ id, box, text }) => (id ? [`${id} ${box} ${text}`] : []))
              .sort(),
          ).toEqual(tasks.map(({ id, box, text }) => `${id} ${box} ${text}`))
          expect(once.split('\n').filter(each => each === 'words').length).toBe(
            lines.filter(each => each === 'words').length,
          )
        },
      ),
    )
  })
})

test.each([
  ['Mend it. Files: src/a.ts, src/b.ts', 'Other (files: src/b.ts)', true],
  ['Mend `src/a.ts`', 'Mend `./src/a.ts` too', true],
  ['Change src/a.ts a bit', 'Change src/b.ts', false],
  ['files: src/', 'files: src/deep/a.ts', true],
  ['files: src/a', 'files: src/ab', false],
  ['No files here, e.g. nothing', 'No files here either, e.g. nothing', false],
  ['See https://example.org/a/b', 'See https://example.org/a/b', false],
])('"%s" and "%s" name the same files: %s [task-same-files]', (one, other, share) => {
  expect(shareFiles(filesNamedIn(one), filesNamedIn(other))).toBe(share)
})
