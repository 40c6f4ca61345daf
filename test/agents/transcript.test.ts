import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { canResume, emptyTranscripts } from '../../src/adapters/claude/claude-transcript.ts'
import { History } from '../../src/adapters/history/history.ts'
import { Agents } from '../../src/daemon/agents/agents.ts'

const SESSION = '0f4c1c5e-2b1d-4a6f-9f0e-5d8a3c7b1e20'
const MODE = { type: 'mode', mode: 'normal', sessionId: SESSION }
const said = (text: string, seconds: number) => ({
  type: 'user',
  timestamp: new Date(seconds * 1000).toISOString(),
  message: { role: 'user', content: text },
})

const answered = (id: string, seconds: number) => ({
  type: 'assistant',
  timestamp: new Date(seconds * 1000).toISOString(),
  message: { id, role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 7 } },
})

/** The client's own directory, with transcripts in folders that it named. */
function clientFiles() {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-transcript-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const path = (folder: string) => join(root, 'projects', folder, `${SESSION}.jsonl`)
  const write = (folder: string, ...lines: object[]) => {
    mkdirSync(join(root, 'projects', folder), { recursive: true })
    writeFileSync(path(folder), lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  }
  return { root, path, write, environment: { CLAUDE_CONFIG_DIR: root } }
}

test('a session can be resumed when one of its transcripts holds a message, and only a session without any has transcripts to remove [session-crash-resumed]', async () => {
  const { path, write, environment } = clientFiles()
  const found = async () => [await canResume(SESSION, environment), await emptyTranscripts(SESSION, environment)]
  expect(await found()).toEqual([false, []])
  write('a', MODE)
  expect(await found()).toEqual([false, [path('a')]])
  write('b', MODE, said('go', 1))
  expect(await found()).toEqual([true, []])
  // A message in a form that we do not read counts too.
  write('b', { type: 'user', isMeta: true })
  expect(await found()).toEqual([true, []])
})

test('a transcript that cannot be read counts as one with messages [session-crash-resumed]', async () => {
  const { path, environment } = clientFiles()
  mkdirSync(path('a'), { recursive: true })
  expect([await canResume(SESSION, environment), await emptyTranscripts(SESSION, environment)]).toEqual([true, []])
})

test('a look at a transcript counts when it has ended [session-crash-resumed]', async () => {
  const { write, agents } = knownAgents(10_000)
  write('a', MODE)
  const looking = agents.look()
  expect(agents.lookedAt(SESSION)).toBe(0)
  await looking
  expect(agents.lookedAt(SESSION)).toBe(10_000)
})

test('a session that begins again under its id is read from the beginning [session-crash-resumed]', async () => {
  const { path, write, agents } = knownAgents(20_000)
  write('a', MODE, MODE, MODE)
  await agents.look()
  write('new', said('go', 12))
  renameSync(path('new'), path('a'))
  await agents.begin(SESSION, async () => {})
  await agents.look()
  expect(agents.facts(SESSION)).toMatchObject({ promptedAt: 12_000 })
})

test.for([
  ['was read before', true],
  ['is new', false],
] as const)(
  'messages that a client writes while it is being started are counted once: its transcript %s [session-crash-resumed]',
  async ([, isKnown]) => {
    const { path, write, agents } = knownAgents(20_000)
    if (isKnown) write('a', MODE)
    await agents.look()
    await agents.begin(SESSION, async () => {
      rmSync(path('a'), { force: true })
      write('a', answered('1', 12), answered('2', 13))
      await agents.look()
    })
    await agents.look()
    expect(agents.facts(SESSION).usage.output).toBe(14)
  },
)

/** The agents of a daemon that expects a session with such transcripts. */
function knownAgents(nowMs: number) {
  const { root, path, write } = clientFiles()
  const history = new History(join(root, 'history.db'), 1, () => {})
  const nothing = () => {}
  const clock = { now: () => nowMs, at: () => nothing }
  const agents = new Agents({ clock, prices: [], history })
  onTestFinished(async () => {
    await agents.close()
    await history.close()
  })
  agents.expect(SESSION, { run: 'a', role: 'session', cwd: root, configDirectory: root })
  return { path, write, agents }
}
