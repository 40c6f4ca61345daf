import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ANY_PROGRAM, HOOK_ROWS, ownSessionSettings, thisProgram, userHooks } from '../../src/contract/hook-settings.ts'
import { recorder } from './recorder.ts'

type Ended = { code: number; out: string; err: string }

/** As the client starts it: the command to a shell, the event to its standard input. */
function started(shell: string, command: string, path = '/usr/bin:/bin'): Promise<Ended> {
  return new Promise(resolve => {
    const child = execFile(
      shell,
      ['-c', command],
      { env: { PATH: path, HOME: '/nowhere', SHLVL: '1' } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end('{"hook_event_name": "Stop"}')
  })
}

function temp() {
  const path = mkdtempSync(join(tmpdir(), 'rehoboam-command-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

const SILENT: Ended = { code: 0, out: '', err: '' }
const isHeld = (command: string) => command.includes('--hold')
const commandsFor = (program: string) => userHooks(program).map(({ group }) => group.hooks[0]!.command)

describe.each(['/bin/sh', '/bin/bash'])('in %s', shell => {
  test('a shared hook says nothing and exits 0 where rehoboam is not installed [init-silent]', async () => {
    for (const command of new Set(commandsFor(ANY_PROGRAM))) expect(await started(shell, command)).toEqual(SILENT)
  })

  test('a hook whose program is broken, gone or of an old Node says nothing and exits 0 [init-silent]', async () => {
    using place = temp()
    const bad = join(place.path, 'rehoboam')
    writeFileSync(bad, '#!/bin/sh\necho "needs a newer Node" >&2\nexit 2\n')
    chmodSync(bad, 0o755)
    const [shared] = commandsFor(ANY_PROGRAM)
    expect(await started(shell, shared!, `${place.path}:/usr/bin:/bin`)).toEqual(SILENT)
    writeFileSync(bad, '#!/no/such/node\n')
    expect(await started(shell, shared!, `${place.path}:/usr/bin:/bin`)).toEqual(SILENT)
    const programs = [
      { node: process.execPath, script: join(place.path, 'gone.cjs') },
      { node: join(place.path, 'gone'), script: bad },
      { node: '/bin/sh', script: place.path },
    ]
    for (const program of programs) {
      for (const command of new Set(commandsFor(thisProgram(program)))) {
        expect(await started(shell, command), command).toEqual(SILENT)
      }
    }
  })

  test('a path with blanks, quotes, dollars and backslashes names this very program [init-this-program]', async () => {
    using place = temp()
    const odd = join(place.path, `a b"c'd$HOME\`id\`\\e`)
    mkdirSync(odd)
    const script = join(odd, 'rehoboam.cjs')
    writeFileSync(script, 'echo "$@"')
    const commands = commandsFor(thisProgram({ node: '/bin/sh', script }))
    const [plain, held] = [commands[0], commands.find(isHeld)]
    expect(await started(shell, plain!)).toEqual({ ...SILENT, out: 'hook --from init-1\n' })
    expect(await started(shell, held!)).toEqual({ ...SILENT, out: 'hook --hold --from init-1\n' })
  })

  test('a shared hook starts the rehoboam that is on the PATH, with the event and its answer [init-shared-works]', async () => {
    using heard = recorder()
    heard.answer({ yes: 1 })
    const held = commandsFor(ANY_PROGRAM).find(isHeld)!
    expect(await started(shell, held, `${heard.directory}:/usr/bin:/bin`)).toEqual({ ...SILENT, out: '{"yes":1}' })
    expect(heard.heard()).toMatchObject([{ args: 'hook --hold --from init-1', event: 'Stop' }])
  })
})

test("a user's hooks: commands only, one an event, held ones an hour, no two equal for one event [hooks-user-table]", () => {
  const placed = userHooks('x')
  expect(placed.map(({ event }) => event)).toEqual(HOOK_ROWS.map(({ event }) => event))
  const held = placed.filter(({ group }) => group.hooks[0]!.timeout === 3600)
  expect(held.map(({ event }) => event)).toEqual(['PermissionRequest'])
  const waited = placed.filter(({ group }) => !group.hooks[0]!.async).map(({ event }) => event)
  expect(waited).toEqual(['PermissionRequest', 'Stop', 'StopFailure', 'SessionEnd'])
  for (const { group } of placed) expect(Object.keys(group.hooks[0]!)[0]).toBe('type')
  const perEvent = placed.map(({ event, group }) => `${event} ${group.hooks[0]!.command}`)
  expect(new Set(perEvent).size).toBe(placed.length)
})

test('hooks of our own sessions: the frequent by HTTP, what must not be lost by command, no secret in it [hooks-own-table]', () => {
  const ways = (driver: 'headless' | 'pane') =>
    Object.entries(ownSessionSettings({ port: 4711, command: 'x', driver, tmux: 'rehoboam' }).hooks).flatMap(
      ([event, groups]) => groups.map(({ hooks }) => [event, hooks[0]!.type, hooks[0]!.timeout]),
    )
  const commands = (driver: 'headless' | 'pane') => ways(driver).filter(([, type]) => type === 'command')
  const held = [['PermissionRequest', 'command', 86_400]]
  const last = ['Stop', 'StopFailure', 'SessionEnd'].map(event => [event, 'command', 10])
  expect(commands('headless')).toEqual(held)
  expect(commands('pane')).toEqual([['SessionStart', 'command', 10], ...held, ...last])
  expect(ways('headless').map(([event]) => event)).not.toContain('SessionStart')
  expect(ways('pane')).toHaveLength(HOOK_ROWS.length)
  const { hooks } = ownSessionSettings({ port: 4711, command: 'x', driver: 'pane', tmux: 'rehoboam' })
  expect(hooks.PostToolUse).toEqual([
    {
      hooks: [
        {
          type: 'http',
          url: 'http://127.0.0.1:4711/v1/hook',
          timeout: 10,
          headers: { Authorization: 'Bearer $REHOBOAM_TOKEN', 'X-Rehoboam-Pane': 'rehoboam:$TMUX_PANE' },
          allowedEnvVars: ['REHOBOAM_TOKEN', 'TMUX_PANE'],
        },
      ],
    },
  ])
  // `--from` means: a settings file said so. A session of ours leaves those to its own hooks.
  expect(JSON.stringify(hooks)).not.toContain('--from')
})
