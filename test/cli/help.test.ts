import { spawnSync } from 'node:child_process'
import { CommanderError } from 'commander'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Face } from '../../src/cli/face.ts'
import { programOf } from '../../src/cli/program.ts'
import { PROGRAM } from '../support/temp-home.ts'
import { commandsIn } from './papers.ts'

/** Help needs no daemon, no home and no network. */
function rehoboam(...args: string[]) {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', REHOBOAM_HOME: '/nonexistent/state' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8', env })
  return { code: status, out: stdout, err: stderr }
}

/** The pages of help, of the whole and of each command that it lists: `config set`. */
async function helpPages(): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const read = async (path: string[]) => {
    const written: string[] = []
    const out = { raw: (text: string) => written.push(text) }
    const asked = programOf({ out, version: '0.0.0' } as unknown as Face)
    await asked.parseAsync(['node', 'rehoboam', ...path, '--help']).catch(error => {
      if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error
    })
    const help = written.join('')
    pages.set(path.join(' '), help)
    const listed = /\nCommands:\n([\s\S]*?)(?:\n\n|$)/.exec(help)?.[1] ?? ''
    const names = [...listed.matchAll(/^ {2}([a-z-]+)(?:\|\S+)? /gm)].map(([, name]) => name!)
    for (const name of names.filter(each => each !== 'help')) await read([...path, name])
  }
  await read([])
  return pages
}

describe('help', () => {
  let pages: Map<string, string>
  beforeAll(async () => {
    pages = await helpPages()
  })

  test('lists every command, and each has a description and examples [cli-help]', () => {
    const isWhole = (help: string) =>
      /Examples?:\n +(\S+ \| )?rehoboam /.test(help) && /^Usage: rehoboam .*\n\n\S/.test(help)
    const commands = [...pages].filter(([path]) => path !== '')
    expect(commands.filter(([, help]) => !isWhole(help)).map(([path]) => path)).toEqual([])
    expect(commands.map(([path]) => path)).toEqual(
      expect.arrayContaining([
        ...['spawn', 'runs', 'show', 'logs', 'cancel', 'pause', 'resume', 'tell', 'demo', 'diff', 'restore', 'prune'],
        ...['config list', 'config get', 'config set', 'config explain', 'daemon status'],
      ]),
    )
  })

  test('has every command and every flag that README and the other papers name [papers-first-steps]', () => {
    const papers = ['README.md', 'docs/sessions.md', 'docs/agents.md', 'docs/rehearsal.md', 'docs/architecture.md']
    // Not listed by help, because nobody types it: `rehoboam hook` is what the client runs.
    const typed = papers.flatMap(commandsIn).filter(([, command]) => command !== 'hook')
    expect(typed.length).toBeGreaterThan(20)
    for (const [words, command = '', below = ''] of typed) {
      expect([words, pages.has(command)]).toEqual([words, true])
      const page = pages.get(`${command} ${below}`) ?? pages.get(command)
      for (const [flag] of words.split(' -- ')[0]!.matchAll(/(?<=\s)--?[a-z-]+/g)) {
        expect([words, page]).toEqual([words, expect.stringContaining(flag)])
      }
    }
  })

  test('is on stdout with code 0 when asked for, on stderr with code 2 when nothing was asked [cli-help]', () => {
    const asked = rehoboam('--help')
    expect([asked.code, asked.err]).toEqual([0, ''])
    expect(asked.out).toBe(pages.get(''))
    expect(asked.out).toContain('rehoboam demo')
    expect(rehoboam('help', 'spawn')).toEqual(rehoboam('spawn', '--help'))
    const nothing = rehoboam()
    expect([nothing.code, nothing.out]).toEqual([2, ''])
    expect(nothing.err).toContain('Usage: rehoboam')
  })

  test('--version says the version and nothing else [cli-help]', () => {
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
  ] as const)('%j is code 2, says what, and names the nearest [cli-usage]', ([args, what, nearest]) => {
    const { code, out, err } = rehoboam(...args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(what)
    expect(err).toContain(nearest)
    expect(err).not.toMatch(/\n\s+at |[\p{Cc}--\n]/v)
  })
})
