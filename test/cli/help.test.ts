import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { PROGRAM } from '../support/temp-home.ts'

/** Help needs no daemon, no home and no network. */
function rehoboam(...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', REHOBOAM_HOME: '/nonexistent/state' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8', env })
  return { code: status, out: stdout, err: stderr }
}

const runFile = promisify(execFile)
const helpOf = async (path: string[]) =>
  (
    await runFile(process.execPath, [PROGRAM, ...path, '--help'], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    })
  ).stdout

/** What help says of every command that it lists, with those below it: `config set`. One process for each, all at once. */
async function commands(path: string[] = []): Promise<{ path: string; help: string }[]> {
  const help = await helpOf(path)
  const listed = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(help)?.[1] ?? ''
  const names = [...listed.matchAll(/^ {2}([a-z-]+)(?:\|\S+)? /gm)].map(([, name]) => name!)
  const below = await Promise.all(names.filter(name => name !== 'help').map(name => commands([...path, name])))
  return [...(path.length ? [{ path: path.join(' '), help }] : []), ...below.flat()]
}

describe('help', () => {
  test('lists every command, and each has a description and examples [cli-help]', async () => {
    const all = await commands()
    const isWhole = (help: string) =>
      /Examples?:\n +(\S+ \| )?rehoboam /.test(help) && /^Usage: rehoboam .*\n\n\S/.test(help)
    expect(all.filter(({ help }) => !isWhole(help)).map(({ path }) => path)).toEqual([])
    expect(all.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        ...['spawn', 'runs', 'show', 'logs', 'cancel', 'pause', 'resume', 'tell', 'demo', 'diff', 'restore', 'prune'],
        ...['config list', 'config get', 'config set', 'config explain', 'daemon status'],
      ]),
    )
  })

  test('is on stdout with code 0 when asked for, on stderr with code 2 when nothing was asked [cli-help]', () => {
    const asked = rehoboam('--help')
    expect([asked.code, asked.err]).toEqual([0, ''])
    expect(asked.out).toContain('rehoboam demo')
    expect(rehoboam('help', 'spawn')).toEqual(rehoboam('spawn', '--help'))
    const nothing = rehoboam()
    expect([nothing.code, nothing.out]).toEqual([2, ''])
    expect(nothing.err).toContain('Usage: rehoboam')
  })

  test('--version says the version and nothing else [cli-version]', () => {
    for (const flag of ['--version', '-V']) {
      expect(rehoboam(flag)).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: '' })
    }
  })
})

describe('what is not understood', () => {
  test.for([
    [['spwan'], "unknown command 'spwan'", 'Did you mean spawn?'],
    [['conf', 'list'], "unknown command 'conf'", 'Did you mean config?'],
    [['config', 'lst'], "unknown command 'lst'", 'Did you mean list?'],
    [['runs', '--jsn'], "unknown option '--jsn'", 'Did you mean --json?'],
    [['spawn', '--promt', 'x'], "unknown option '--promt'", 'Did you mean --prompt?'],
    [['--plian', 'runs'], "unknown option '--plian'", 'Did you mean --plain?'],
    [['x\x1b]0;owned\x07y'], "unknown command 'xy'", ''],
    [['show'], "missing required argument 'id'", ''],
    [['tell', 'k3v9x0ab'], "missing required argument 'text'", ''],
    [['show', 'a', 'b'], 'too many arguments', ''],
    [['spawn', '--prompt'], "option '-p, --prompt <text>' argument missing", ''],
  ] as const)('%j is code 2, says what, and names the nearest [cli-unknown]', ([args, what, nearest]) => {
    const { code, out, err } = rehoboam(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(what)
    expect(err).toContain(nearest)
    expect(err).not.toMatch(/\n\s+at |[\p{Cc}--\n]/v)
  })
})
