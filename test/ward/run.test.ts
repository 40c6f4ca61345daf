import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withEnvironment } from '../../src/adapters/process-table.ts'
import { readWardOutput } from '../../src/adapters/ward/output-file.ts'
import { WARD_MARK } from '../../src/adapters/ward/run-command.ts'
import { runWard, type WardStart } from '../../src/daemon/ward/run-ward.ts'
import { until } from '../support/until.ts'

const LONG_MS = 100_000

function place() {
  const root = mkdtempSync(join(tmpdir(), 'rehoboam-ward ä"\' '))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [directory, outputDirectory] = [join(root, 'project'), join(root, 'out')]
  mkdirSync(directory)
  const start = (more: Partial<WardStart> & { lines?: string[] } = {}): WardStart => ({
    directory,
    commands: (more.lines ?? ['true']).map(command => ({ command })),
    environment: { PATH: process.env.PATH ?? '' },
    timeLimitMs: LONG_MS,
    outputDirectory,
    key: 'run-1:7:0',
    signal: new AbortController().signal,
    ...more,
  })
  const mark = `${WARD_MARK}=${join(outputDirectory, 'run-1:7:0')}`
  return { root, directory, outputDirectory, start, processes: () => withEnvironment(mark) }
}

test.each<[string, string, string, number | null]>([
  ['ends with 0', 'true', 'green', 0],
  ['ends with 1', 'exit 1', 'red', 1],
  ['is ended by a signal of its own', 'kill -9 $$', 'red', null],
  ['names a program that is missing', 'no-such-program-here --run', 'could-not-run', 127],
  ['names a file that is no program', './not-executable', 'could-not-run', 126],
  ['is pytest without tests', 'pytest() { echo "no tests ran in 0.01s"; return 5; }; pytest', 'could-not-run', 5],
  ['ends with 5 and is not pytest', 'echo 5 failed; exit 5', 'red', 5],
  ['is pytest that is not installed', 'echo "/usr/bin/python3: No module named pytest"; exit 1', 'could-not-run', 1],
  ['is a test about a missing module', 'echo "No module named pytest"; echo "1 failed"; exit 1', 'red', 1],
  ['is make with a missing program', 'make -f ../makefile missing', 'could-not-run', 2],
  ['is make with a red recipe', 'make -f ../makefile red', 'red', 2],
  ['cannot be started at all', 'echo \0', 'could-not-run', null],
])('a command that %s gives its result [ward-results]', async (_, command, how, code) => {
  const { root, directory, start } = place()
  writeFileSync(join(directory, 'not-executable'), 'echo', { mode: 0o644 })
  writeFileSync(join(root, 'makefile'), 'missing:\n\tno-such-program-here x\nred:\n\tfalse\n')
  const { results, cancelled } = await runWard(start({ lines: [command] }))
  expect(cancelled).toBe(false)
  expect(results).toEqual([expect.objectContaining({ command, how, code, flaky: false })])
})

test('a directory that is not there is said, not thrown [ward-results]', async () => {
  const { start, root } = place()
  const { results } = await runWard(start({ directory: join(root, 'gone') }))
  expect(results).toEqual([expect.objectContaining({ how: 'could-not-run', why: expect.stringContaining('ENOENT') })])
})

test('all commands are run in the project’s directory, so that all failures are known [ward-results]', async () => {
  const { start, directory } = place()
  const { results } = await runWard(start({ lines: ['pwd > one', 'exit 3', 'touch two'] }))
  expect(results.map(({ how }) => how)).toEqual(['green', 'red', 'green'])
  expect(readFileSync(join(directory, 'one'), 'utf8').trim()).toBe(directory)
  expect(readdirSync(directory)).toEqual(['one', 'two'])
})

test('where it is wanted, the first red one is the last [ward-results]', async () => {
  const { start, directory } = place()
  const { results } = await runWard(start({ lines: ['exit 3', 'touch two'], stopAtFirstRed: true }))
  expect(results.map(({ how }) => how)).toEqual(['red'])
  expect(readdirSync(directory)).toEqual([])
})

test('a ward has nobody to ask: CI, no stdin, no terminal, no session’s name [ward-alone]', async () => {
  const { start } = place()
  const environment = {
    PATH: process.env.PATH ?? '',
    KEPT: 'yes',
    CLAUDECODE: '1',
    CLAUDE_CODE_SESSION_ID: 's',
    REHOBOAM_RUN: 'r',
    REHOBOAM_TOKEN: 't',
    TMUX: '/x',
    FORCE_COLOR: '1',
    GIT_DIR: '/x/.git',
  }
  const looks = 'cat; test -t 0 || test -t 1 || echo no terminal; (: < /dev/tty) 2>/dev/null || echo no tty; env'
  const { results } = await runWard(start({ lines: [looks], environment, more: { ADDED: '1' } }))
  const lines = (await readWardOutput(results[0]!.output)).split('\n')
  expect(lines.slice(0, 2)).toEqual(['no terminal', 'no tty'])
  expect(lines).toEqual(expect.arrayContaining(['CI=1', 'NO_COLOR=1', 'KEPT=yes', 'ADDED=1']))
  const names = lines.map(line => line.split('=')[0])
  for (const name of Object.keys(environment).slice(2)) expect(names).not.toContain(name)
})

test('both streams stand in one file in their order, and only its owner may read it [ward-output]', async () => {
  const { start, outputDirectory } = place()
  const { results } = await runWard(start({ lines: ['echo a; echo b >&2; echo c; echo d >&2'] }))
  expect(await readWardOutput(results[0]!.output)).toBe('a\nb\nc\nd\n')
  expect(statSync(results[0]!.output).mode & 0o777).toBe(0o600)
  expect(statSync(outputDirectory).mode & 0o777).toBe(0o700)
})

test('an output without end is kept with its beginning and its end [ward-output]', async () => {
  const { start } = place()
  const line = 'echo first; head -c 20000000 /dev/zero | tr "\\0" x; echo; echo last'
  const { results } = await runWard(start({ lines: [line] }))
  const kept = await readWardOutput(results[0]!.output)
  expect(kept.length).toBeLessThan(5_000_000)
  expect(kept.startsWith('first\nxxx')).toBe(true)
  expect(kept.endsWith('xxx\nlast\n')).toBe(true)
  expect(kept).toMatch(/\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/)
})

test('a ward that hangs is ended by its time limit with all that it started [ward-hangs]', async () => {
  const { start, processes } = place()
  // One in its group, one in a group of its own, one that does not listen to TERM.
  const line = 'sleep 9999 & setsid sleep 9998 & trap "" TERM; sleep 9997; sleep 9996'
  const { results } = await runWard(start({ lines: [line], timeLimitMs: 2_000 }))
  expect(results).toEqual([expect.objectContaining({ how: 'hung', code: null, flaky: false })])
  expect(results[0]!.why).toContain('2 s')
  expect(await processes()).toEqual([])
})

test('what a command leaves running is ended, and its own code counts [ward-hangs]', async () => {
  const { start, processes } = place()
  const { results } = await runWard(start({ lines: ['setsid sleep 9999 & echo done; exit 0'] }))
  expect(results[0]).toMatchObject({ how: 'green', code: 0 })
  expect(await readWardOutput(results[0]!.output)).toBe('done\n')
  expect(await processes()).toEqual([])
})

test('a cancelled ward ends at once with all that it started, and says so [ward-hangs]', async () => {
  const { start, processes, directory } = place()
  const cancel = new AbortController()
  const run = runWard(start({ lines: ['true', 'touch started; sleep 9999', 'touch never'], signal: cancel.signal }))
  await until(() => readdirSync(directory).includes('started'), 'the second command to run')
  cancel.abort()
  const { results, cancelled } = await run
  expect(cancelled).toBe(true)
  expect(results.map(({ how }) => how)).toEqual(['green'])
  expect(readdirSync(directory)).toEqual(['started'])
  expect(await processes()).toEqual([])
})

test('a red command is run once more, and the second result counts [ward-again]', async () => {
  const { start, directory } = place()
  const flaky = 'echo try; test -e seen || { touch seen; exit 1; }'
  const { results } = await runWard(start({ lines: [flaky, 'echo x >> count; exit 1', 'echo y >> twice'] }))
  expect(results.map(({ how, flaky }) => ({ how, flaky }))).toEqual([
    { how: 'green', flaky: true },
    { how: 'red', flaky: false },
    { how: 'green', flaky: false },
  ])
  expect(readFileSync(join(directory, 'count'), 'utf8')).toBe('x\nx\n')
  expect(readFileSync(join(directory, 'twice'), 'utf8')).toBe('y\n')
})

test('a ward whose daemon was killed is found by its key, ended, and run again [ward-hangs]', async () => {
  const { start, processes, directory } = place()
  const { signal: _, ...ward } = start({ lines: ['setsid sleep 9999 & : > started; sleep 9998'] })
  const module = new URL('../../src/daemon/ward/run-ward.ts', import.meta.url)
  const script = `const { runWard } = await import('${module}')
    await runWard({ ...JSON.parse(process.argv[1]), signal: new AbortController().signal })`
  const daemon = spawn(process.execPath, ['--input-type=module', '-e', script, JSON.stringify(ward)], {
    stdio: 'ignore',
  })
  await until(() => readdirSync(directory).includes('started'), 'the first to run')
  const before = await until(async () => {
    const found = await processes()
    return found.length >= 3 ? found : null
  }, 'its processes')
  const killed = once(daemon, 'exit')
  daemon.kill('SIGKILL')
  await killed
  expect(await processes()).toEqual(expect.arrayContaining(before))
  const { results } = await runWard(start({ lines: ['touch again'] }))
  expect(results[0]).toMatchObject({ how: 'green' })
  expect(await processes()).toEqual([])
})

test('a key that could name another file is refused [ward-hangs]', async () => {
  const { start } = place()
  for (const key of ['', '../x', 'a/b', '.x', 'a\nb']) {
    await expect(runWard(start({ key }))).rejects.toMatchObject({ code: 'ward-key' })
  }
})
