import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { homeWithGuests } from './guest.ts'
import { linesOf, questions, show, spawnRun, untilStatus } from './runs.ts'

const guest = homeWithGuests({ client: 'either' })
const DONE = [{ reply: say('Done.') }]

test('every prompt begins with the line that names run, role and attempt [session-prompt-line]', async () => {
  await using home = await guest(DONE)
  await home.rehoboam(['spawn', '--prompt', 'Mend  the\n\nlogin "test"', '--wait'])
  const [run = ''] = home.runs()
  expect(questions(home)[0]?.prompt).toBe(`[rehoboam run=${run} role=session attempt=1]\nMend  the\n\nlogin "test"`)
  expect(await show(home, run)).toMatchObject({ prompt: 'Mend  the\n\nlogin "test"' })
})

test('a prompt that begins with a slash carries the line last, where the model reads it too [session-prompt-line]', async () => {
  await using home = await guest(DONE)
  const run = await spawnRun(home, '/greet the world')
  await untilStatus(home, run, 'complete')
  expect(linesOf(home.home, 'runs', run, 'turns', '1', 'prompt.md')).toEqual([
    '/greet the world',
    `[rehoboam run=${run} role=session attempt=1]`,
  ])
  expect(questions(home)[0]?.line).toEqual({ run, role: 'session', attempt: '1' })
})

test('a project whose path has spaces, umlauts, quotes and a dollar is worked in like any other [session-odd-path]', async () => {
  await using home = await guest(turns({}, bash('pwd > here; echo done >> "it\'s done"'), say('Done.')))
  const project = join(home.root, `Größe 'n "Quotes" $HOME & more; ünd`)
  mkdirSync(project)
  const ended = await home.rehoboam([
    'spawn',
    '--prompt',
    'Do it',
    '--allowed-tools',
    'Bash',
    '--dir',
    project,
    '--wait',
  ])
  expect(ended.code).toBe(0)
  expect(linesOf(project, 'here')).toEqual([project])
  expect(linesOf(project, "it's done")).toEqual(['done'])
  expect(await show(home, home.runs()[0]!)).toMatchObject({ project })
})

test('a prompt of 140 kB, too long for a command line, reaches the model whole [cli-spawn]', async () => {
  await using home = await guest(DONE)
  const text = `${'All work and no play. '.repeat(6500)}The end of it.`
  expect(Buffer.byteLength(text)).toBeGreaterThan(140_000)
  const file = join(home.project, 'task.md')
  writeFileSync(file, text)
  expect(await home.rehoboam(['spawn', '--prompt-file', file, '--wait'])).toMatchObject({ code: 0 })

  const [run = ''] = home.runs()
  const [asked] = questions(home)
  const head = `[rehoboam run=${run} role=session attempt=1]\n`
  // The record keeps the beginning and says how much more there was.
  const more = Number(/\.\.\. \((\d+) more characters\)$/.exec(asked?.prompt ?? '')?.[1])
  expect(asked?.prompt.startsWith(`${head}All work`)).toBe(true)
  expect(asked!.prompt.indexOf('... (') + more).toBe(head.length + text.length)
  expect(await show(home, run)).toMatchObject({ prompt: text })
})

test('what is given after -- reaches the client as it is [cli-spawn]', async () => {
  await using home = await guest(DONE)
  const ended = await home.rehoboam([
    'spawn',
    '--prompt',
    'Do it',
    '--model',
    'haiku',
    '--wait',
    '--',
    '--append-system-prompt',
    `Speak "softly" 'n $HOME`,
  ])
  expect(ended.code).toBe(0)
  expect(questions(home)[0]?.system).toContain(`Speak "softly" 'n $HOME`)
  expect(questions(home)[0]?.model).toContain('haiku')
})
