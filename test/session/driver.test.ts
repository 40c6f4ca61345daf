import { randomUUID } from 'node:crypto'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { claudeHeadless } from '../../src/adapters/claude/headless.ts'
import { withEnvironment } from '../../src/adapters/process-table.ts'
import type { SessionStart } from '../../src/ports.ts'
import { until } from '../support/until.ts'
import { linesOf, writeScript } from './runs.ts'

test('of many starts of one turn at once, one runs, with its whole prompt [driver-starts-once]', async () => {
  for (let round = 0; round < 5; round++) {
    const { root, start } = turnOf('cat > "heard.$$"; echo once >> started')
    await Promise.all(Array.from({ length: 8 }, () => claudeHeadless.start(start)))
    await until(async () => (await claudeHeadless.look(start.place)).is === 'ended', 'the turn to end')
    expect(linesOf(root, 'started')).toEqual(['once'])
    const heard = readdirSync(root).filter(name => name.startsWith('heard.'))
    expect(heard.map(name => readFileSync(join(root, name), 'utf8') === start.prompt)).toEqual([true])
  }
})

test('a second start of a turn does not touch what the first one’s client is reading [driver-starts-once]', async () => {
  const { start } = turnOf('true')
  await claudeHeadless.start(start)
  const prompt = openSync(join(start.place.directory, 'prompt.md'), 'r')
  onTestFinished(() => closeSync(prompt))
  const half = Buffer.alloc(1_000)
  readSync(prompt, half)
  await claudeHeadless.start({ ...start, prompt: 'Another one.' })
  expect(half.toString() + readFileSync(prompt, 'utf8')).toBe(start.prompt)
  expect(readdirSync(start.place.directory).filter(name => name.endsWith('.tmp'))).toEqual([])
  await until(async () => (await claudeHeadless.look(start.place)).is === 'ended', 'the turn to end')
})

test('a turn that was abandoned never starts; one that has started cannot be abandoned [driver-starts-once]', async () => {
  const never = turnOf('echo once >> started')
  expect([await claudeHeadless.abandon(never.start.place), await claudeHeadless.abandon(never.start.place)]).toEqual([
    true,
    false,
  ])
  await claudeHeadless.start(never.start)
  await until(async () => (await claudeHeadless.look(never.start.place)).is === 'ended', 'it to be seen as ended')
  expect(linesOf(never.root, 'started')).toEqual([])

  const begun = turnOf('echo once >> started; read _ < /dev/zero')
  await claudeHeadless.start(begun.start)
  await until(() => linesOf(begun.root, 'started').length, 'it to start')
  expect(await claudeHeadless.abandon(begun.start.place)).toBe(false)
  expect((await claudeHeadless.look(begun.start.place)).is).toBe('alive')
  await claudeHeadless.end(begun.start.place, 1000)
  expect((await claudeHeadless.look(begun.start.place)).is).toBe('ended')
})

test('a turn that starts processes faster than they can be counted is ended with all of them [session-leaves-nothing]', async () => {
  const { root, start } = turnOf("trap '' TERM; while [ -e client ]; do setsid sleep 30 & echo once >> started; done")
  await claudeHeadless.start(start)
  await until(() => linesOf(root, 'started').length > 20, 'it to start some')
  await claudeHeadless.end(start.place, 1)
  expect(await withEnvironment(`REHOBOAM_TURN=${start.place.directory}`)).toEqual([])
})

test('a process id that is written down and belongs to somebody else by now is not taken for the session [session-leaves-nothing]', async () => {
  const { start } = turnOf('true')
  mkdirSync(start.place.directory, { recursive: true })
  writeFileSync(join(start.place.directory, 'claim'), `${process.pid}\n`)
  expect(await claudeHeadless.look(start.place)).toEqual({ is: 'ended', pid: process.pid, exit: { how: 'vanished' } })
  await claudeHeadless.end(start.place, 100)
})

function turnOf(client: string): { root: string; start: SessionStart } {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-turn-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))
  const session = randomUUID()
  const spec: SessionStart['spec'] = {
    session,
    project: root,
    driver: 'headless',
    client: writeScript(join(root, 'client'), client),
    model: null,
    permissionMode: null,
    allowedTools: [],
    arguments: [],
    directories: [],
    maxCostUsd: null,
    maxTimeMs: null,
    backgroundGraceMs: 0,
    endGraceMs: 1000,
    crashRetries: 0,
    stuckAfterMs: 600_000,
    lineLimitBytes: 1_000_000,
    endsWithTurn: false,
    noQuestions: false,
  }
  const place = { directory: join(root, 'turns', '1'), session }
  const prompt = 'A prompt that takes a moment to write. '.repeat(20_000)
  return {
    root,
    start: {
      place,
      spec,
      maxCostUsd: null,
      environment: { PATH: process.env.PATH ?? '' },
      prompt,
      resume: false,
      hooks: { port: 1, command: 'true' },
      toolsPort: null,
    },
  }
}
