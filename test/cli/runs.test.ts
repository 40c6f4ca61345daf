import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeLine } from '../../src/adapters/journal/line.ts'
import type { Stamped } from '../../src/contract/event.ts'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { show, untilRun } from '../session/runs.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { completeRun, startRun } from './started.ts'

const DONE = [{ reply: { text: 'all is done' } }]

// One home for all that do not say otherwise: each has runs of its own.
let home: TempHome
beforeAll(async () => {
  home = await tempHome({
    scenario: [
      { when: { prompt: 'hang', attempt: 1 }, reply: { text: 'later', fault: { kind: 'hang', name: 'hang' } } },
      ...turns({ prompt: 'tool' }, bash('echo hi'), say('later', { fault: { kind: 'hang', name: 'tool' } })),
      { when: { prompt: 'and now the other' }, reply: { text: 'second' } },
      ...DONE,
    ],
  })
})
afterAll(() => home[Symbol.asyncDispose]())

describe('a run by its id', () => {
  test('the beginning is enough when it fits one run, and all that fit are named when it does not [cli-run-ids]', async () => {
    await using home = await tempHome({ scenario: DONE })
    const first = await completeRun(home)
    await home.daemon.stop(null)
    for (const id of ['abcdefg1', 'abcdefg2', 'zzzzzzzz']) copyRun(home, first, id)
    // Its own id is random, and may begin like one of these.
    rmSync(join(home.home, 'runs', first), { recursive: true })
    for (const id of ['abcdefg1', 'zzzzzzzz', 'zzz', 'z']) {
      const { code, out } = await home.rehoboam(['show', id])
      expect([code, out]).toEqual([0, expect.stringMatching(new RegExp(`^run +${id}[a-z0-9]* `))])
    }
    const { code, err } = await home.rehoboam(['show', 'abcd'])
    expect(code).toBe(2)
    expect(err).toMatch(/^rehoboam: "abcd" fits 2: run abcdefg[12], run abcdefg[12]; type more of the id\n$/)
  })

  test.for(['nowhere1', '..', '', '../runs', 'a b', 'K3V9X0AB', '%2e%2e', 'x\x1b[31m'])(
    '%j is no run, for every command alike [cli-run-ids]',
    async id => {
      const words = id.replace('\x1b[31m', '')
      const commands = [
        ['show', id],
        ['logs', id],
        ['logs', '-f', id],
        ['cancel', id],
        ['tell', id, 'x'],
        ['resume', id],
      ]
      // One place looks ids up for all of them: all commands are tried with one id, and with each in test:all.
      for (const args of PLAYS_ALL || id === 'nowhere1' ? commands : commands.slice(0, 1)) {
        const { code, out, err } = await home.rehoboam(args)
        expect([args[0], code, out, err]).toEqual([
          args[0],
          2,
          '',
          ['cancel', 'resume'].includes(args[0]!)
            ? `rehoboam: there is no run "${words}"; rehoboam runs lists them\n`
            : `rehoboam: there is no run or agent "${words}"; rehoboam runs and rehoboam agents list them\n`,
        ])
      }
    },
  )
})

describe('an error', () => {
  test('is a sentence, and with --debug also where it came from [cli-debug]', async () => {
    const sentence = 'rehoboam: there is no run or agent "nowhere1"; rehoboam runs and rehoboam agents list them\n'
    expect((await home.rehoboam(['show', 'nowhere1'])).err).toBe(sentence)
    const { code, err } = await home.rehoboam(['show', 'nowhere1', '--debug'])
    expect(code).toBe(2)
    expect(err).toMatch(/^RehoboamError: there is no run[^\n]*\n +at [\s\S]*\nrehoboam: there is no run/)
    expect(err.endsWith(sentence)).toBe(true)
  })

  test('a state directory that is given relative to here is the same for the daemon [cli-relative-home]', async () => {
    const near = { REHOBOAM_HOME: '../near' }
    expect((await home.rehoboam(['spawn', '--prompt', 'go', '--wait'], near)).code).toBe(0)
    expect(readdirSync(join(home.root, 'near', 'runs'))).toHaveLength(1)
    expect((await home.rehoboam(['daemon', 'stop'], near)).out).toContain('the daemon has stopped')
  })
})

describe('looking at runs', () => {
  test('runs lists them, the newest last, and says what to type when there is none [cli-runs]', async () => {
    await using home = await tempHome({ scenario: DONE })
    expect((await home.rehoboam(['runs', '--json'])).out).toBe('[]\n')
    expect((await home.rehoboam(['runs'])).out).toBe('no runs yet; rehoboam spawn --prompt "<what to do>" starts one\n')
    const ids: string[] = []
    for (const _ of [1, 2, 3]) ids.push(await startRun(home))
    const lines = (await home.rehoboam(['runs'])).out.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^run +kind +status +started +cost +project$/)
    expect(lines.slice(1).map(line => line.slice(0, 8))).toEqual(ids)
  })

  test('show tells where a run stands, what was asked and what came of it [cli-show]', async () => {
    const { code, out } = await home.rehoboam(['show', await completeRun(home, { prompt: 'mend the cart' })])
    expect(code).toBe(0)
    for (const fact of ['complete: the session ended', home.project, 'mend the cart', 'all is done', 'exit 0']) {
      expect(out).toContain(fact)
    }
  })

  test('logs prints the whole of a run again, as it was seen live [cli-logs]', async () => {
    const live = await home.rehoboam(['spawn', '--prompt', 'go', '--wait'])
    const [, id] = /^run ([a-z0-9]{8}) in /m.exec(live.out) ?? []
    const logged = await home.rehoboam(['logs', id!])
    expect(logged.code).toBe(0)
    expect(logged.out).toContain('all is done\n')
    expect(live.out.startsWith(logged.out)).toBe(true)
  })

  test('logs -f prints what comes until the run stops; Ctrl-C leaves the run as it is [cli-logs] [cli-interrupt]', async () => {
    const id = await startRun(home, { prompt: 'hang' })
    await home.model.waitFor(({ line }) => line.run === id)
    const left = home.start(['logs', '-f', id])
    const stayed = home.start(['logs', '-f', id])
    for (const { out } of [left, stayed]) await waitForText(out, 'session ')
    left.child.kill('SIGINT')
    expect(await left.ended).toMatchObject({ code: 0, err: '' })
    expect(await show(home, id)).toMatchObject({ status: 'active', turns: [{ state: 'running' }] })
    home.model.release('hang')
    expect(await stayed.ended).toMatchObject({ code: 0, err: '', out: expect.stringContaining('later\nturn ended') })
  })

  test('logs of a run at work has what its running turn has said so far [cli-logs]', async () => {
    const id = await startRun(home, { prompt: 'tool', flags: { allowedTools: 'Bash' } })
    await home.model.waitFor(({ line, turn }) => line.run === id && turn === 1)
    await untilRun(home, id, ({ turns: [turn] }) => turn?.state === 'running', 'the start to be written down')
    const logged = await home.rehoboam(['logs', id])
    expect(logged).toMatchObject({ code: 0, err: '', out: expect.stringContaining('echo hi') })
    expect(await show(home, id)).toMatchObject({ status: 'active' })
    home.model.release('tool')
  })

  test('a reader that leaves early is no error [cli-logs]', async () => {
    const running = home.start(['logs', await completeRun(home), '--json'])
    running.child.stdout?.destroy()
    expect((await running.ended).err).toBe('')
  })
})

describe('telling a run', () => {
  test('a message is the prompt of the next turn of the same session [session-tell]', async () => {
    const waiting = home.start(['spawn', '--prompt', 'hang, then be told', '--wait'])
    const first = await home.model.waitFor(({ prompt }) => prompt.includes('then be told'))
    const id = first.line.run!
    expect((await home.rehoboam(['tell', id, 'and now the other'])).out).toBe(
      `run ${id} will be told at its next turn\n`,
    )
    expect((await home.rehoboam(['show', id])).out).toMatch(/waiting +1 message for the next turn/)
    home.model.release('hang')
    const { code, out } = await waiting.ended
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/a message was left[\s\S]*later\n[\s\S]*turn 2 started[\s\S]*second\n/),
    ])
    const asked = home.model.asked.find(({ line }) => line.run === id && line.attempt === '2')
    expect(asked?.prompt).toBe(`[rehoboam run=${id} role=session attempt=2]\nand now the other`)
    expect(asked?.session).toBe(first.session)
  })

  test('an ended run cannot be told, cancelled or paused, and says what can be done [cli-ended-run]', async () => {
    const id = await completeRun(home)
    const sentence = `rehoboam: run ${id} has ended (complete)`
    expect(await home.rehoboam(['cancel', id])).toMatchObject({ code: 1, err: `${sentence}\n` })
    expect(await home.rehoboam(['pause', id])).toMatchObject({ code: 1, err: `${sentence}\n` })
    expect(await home.rehoboam(['tell', id, 'x'])).toMatchObject({
      code: 1,
      err: `${sentence}; rehoboam resume ${id} "<text>" goes on with its session\n`,
    })
    expect((await home.rehoboam(['resume', id])).err).toContain(`type rehoboam resume ${id} "<what to do next>"`)
  })
})

describe('what spawn takes', () => {
  test('a prompt from a file or from stdin, another directory, arguments for the client [cli-spawn]', async () => {
    mkdirSync(join(home.project, 'sub'))
    writeFileSync(join(home.project, 'task.md'), 'the task\nof a file\n')
    const args = [
      'spawn',
      '--prompt-file',
      'task.md',
      '--dir',
      'sub',
      '--wait',
      '--',
      '--append-system-prompt',
      'be brief',
    ]
    expect((await home.rehoboam(args)).code).toBe(0)
    const asked = home.model.asked.find(({ cwd }) => cwd === join(home.project, 'sub'))
    expect(asked).toMatchObject({
      cwd: join(home.project, 'sub'),
      system: expect.stringContaining('be brief'),
    })
    expect(asked?.prompt).toMatch(/\]\nthe task\nof a file\s*$/)
  })
})

async function waitForText(out: () => string, text: string): Promise<void> {
  await until(() => out().includes(text), `"${text}" to be printed`)
}

/** Another run with the same history: an id is random, and two that begin alike are rare. */
function copyRun(home: TempHome, from: string, to: string): void {
  const directory = join(home.home, 'runs', to)
  const events = home.journal(from) as (Stamped & { v?: number; crc?: string })[]
  cpSync(join(home.home, 'runs', from), directory, { recursive: true, filter: path => !path.endsWith('state.json') })
  const lines = events.map(({ v, crc, ...event }) => writeLine(JSON.parse(JSON.stringify(event).replaceAll(from, to))))
  writeFileSync(join(directory, 'journal.ndjson'), lines.join(''))
}
