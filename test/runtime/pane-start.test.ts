import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { claudePane } from '../../src/adapters/claude/claude-pane.ts'
import { Tmux } from '../../src/adapters/tmux.ts'
import type { SessionSpec } from '../../src/contract/event.ts'
import { linesOf, writeScript } from '../session/runs.ts'
import { until } from '../support/until.ts'

const SESSION = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'
const KILL_AT_NEW_PANE = `if-shell -F "#{==:#{hook_argument_0},update-environment}" "run-shell 'kill -9 #{pid}'"`

/** One turn of the run `first`, whose client notes that it was started and then stays, and a tmux server of its own. */
function makeTurn() {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-pane-'))
  const socket = basename(root)
  const client = writeScript(join(root, 'client'), `echo started >> '${root}/starts'; exec sleep 600`)
  const directory = join(root, 'runs', 'first', 'turns', '1')
  mkdirSync(directory, { recursive: true })
  const spec: SessionSpec = {
    ...{ session: SESSION, project: root, driver: 'pane' as const, client, model: null, permissionMode: null },
    ...{ allowedTools: [], arguments: [], maxCostUsd: null, maxTimeMs: null, backgroundGraceMs: 0, endGraceMs: 0 },
    ...{ crashRetries: 0, lineLimitBytes: 1000, directories: [], stuckAfterMs: 600_000 },
    ...{ endsWithTurn: false, noQuestions: false },
  }
  const place = { directory, session: SESSION }
  const environment = { PATH: process.env.PATH ?? '', HOME: root }
  const tmux = (...words: string[]) => execFileSync('tmux', ['-L', socket, ...words], { encoding: 'utf8' }).trim()
  return {
    socket,
    tmux,
    place,
    start: { place, spec, maxCostUsd: null, environment, prompt: '', resume: false, hooks: null, toolsPort: null },
    starts: () => linesOf(root, 'starts'),
    [Symbol.dispose]() {
      const path = tmux('display-message', '-p', '#{socket_path}')
      tmux('kill-server')
      for (const made of [path, root]) rmSync(made, { recursive: true, force: true })
    },
  }
}

test('a tmux server that is killed while it opens a pane is started again, and the client runs once [pane-start]', async () => {
  using turn = makeTurn()
  const { tmux, socket } = turn
  const own = new Tmux(socket)
  await own.newPane({ session: 'other', directory: '/', command: ['sleep', '600'], environment: {} })
  const before = tmux('display-message', '-p', '#{pid}')
  tmux('set-hook', '-g', 'after-set-option', KILL_AT_NEW_PANE)
  const driver = claudePane(own)
  await driver.start(turn.start)
  expect(tmux('display-message', '-p', '#{pid}')).not.toBe(before)
  await until(() => turn.starts().length > 0, 'the client to start')
  expect(await driver.look(turn.place)).toMatchObject({ is: 'alive' })
  expect(turn.starts()).toEqual(['started'])
})

test('a pane that the command of a dead daemon opens at the same time is used, and its client is not killed [pane-start]', async () => {
  using turn = makeTurn()
  const orphan = claudePane(new Tmux(turn.socket))
  // No session is found, and one is there when ours is made.
  class Late extends Tmux {
    #isFirst = true
    override async paneOf(session: string): Promise<string | null> {
      const pane = await super.paneOf(session)
      if (this.#isFirst) {
        await orphan.start(turn.start)
        await until(() => turn.starts().length > 0, 'the other client to start')
      }
      this.#isFirst = false
      return pane
    }
  }
  const driver = claudePane(new Late(turn.socket))
  await driver.start(turn.start)
  expect(await driver.look(turn.place)).toMatchObject({ is: 'alive' })
  expect(turn.starts()).toEqual(['started'])
})

test('an error that no second attempt can fix is thrown [pane-start]', async () => {
  using turn = makeTurn()
  class Broken extends Tmux {
    attempts = 0
    override newPane(options: Parameters<Tmux['newPane']>[0]): Promise<string> {
      this.attempts += 1
      return super.newPane({ ...options, size: { columns: Number.NaN, rows: 50 } })
    }
  }
  const broken = new Broken(turn.socket)
  await expect(claudePane(broken).start(turn.start)).rejects.toThrow('width invalid')
  expect(broken.attempts).toBe(1)
})
