import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endProcesses } from '../../src/adapters/end-processes.ts'
import { until } from '../support/until.ts'

// A shell runs the traps of waiting signals in the order of their numbers: TERM is 15, WINCH is 28.
// Its child says that it runs: a shell's child has the traps of the shell until then, and loses a TERM.
const HOOK = `
trap 'echo > hook-told; [ -e hook-asked ] && exit' TERM
trap 'echo > hook-asked' WINCH
sh -c 'echo > hook-waits; exec sleep 3000' &
echo $$ > hook
while :; do wait; done
`
// Told to end, it takes its time. What it started is in a group of its own, as a client's hook is.
const CLIENT = `
mkfifo release
trap 'echo > client-told; read _ < release; exit' TERM
setsid sh -c "$HOOK" &
wait
`

test('a client that is told to end has ended before its hook is told [session-end-order]', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'rehoboam-end-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = (name: string) => join(directory, name)
  const env = { PATH: process.env.PATH, HOOK, TEST_END_ORDER: directory }
  const client = spawn('/bin/sh', ['-c', CLIENT], { cwd: directory, detached: true, env, stdio: 'ignore' })
  await until(() => existsSync(file('hook')) && readFileSync(file('hook'), 'utf8').endsWith('\n'), 'the hook')
  await until(() => existsSync(file('hook-waits')), 'the child of the hook')
  const hook = Number(readFileSync(file('hook'), 'utf8'))
  const ended = endProcesses(client.pid!, `TEST_END_ORDER=${directory}`, 3_600_000)
  await until(() => existsSync(file('client-told')), 'the client to be told')
  process.kill(hook, 'SIGWINCH')
  await until(() => existsSync(file('hook-asked')), 'the hook to answer')
  expect(existsSync(file('hook-told'))).toBe(false)
  writeFileSync(file('release'), '\n')
  await ended
  expect(existsSync(file('hook-told'))).toBe(true)
})
