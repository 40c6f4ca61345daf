import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endProcesses } from '../../src/adapters/end-processes.ts'
import { withEnvironment } from '../../src/adapters/process-table.ts'
import { kill } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

// A shell runs the traps of waiting signals in the order of their numbers: TERM is 15, WINCH is 28.
// Its child says that it runs: a shell's child has the traps of the shell until then, and loses a TERM.
const HOOK = `
trap 'echo > hook-told; [ -e hook-asked ] && exit' TERM
trap 'echo > hook-asked' WINCH
sh -c 'echo > hook-waits; exec sleep 3000' &
echo $$ > hook
while kill -0 $!; do wait; done
`
// Told to end, it takes its time. What it started is in a group of its own, as a client's hook is.
const CLIENT = `
mkfifo release
trap 'echo > client-told; read _ < release; exit' TERM
setsid sh -c "$HOOK" &
wait
`
// Told to end, it starts a hook, as a client does for the end of its session.
const LATE_HOOK = `
trap 'echo > late-hook-told; exit' TERM
mkfifo never
echo > late-hook
read _ < never
`
const CLIENT_WITH_LATE_HOOK = `
trap 'setsid sh -c "$LATE_HOOK" & until [ -e late-hook ]; do sleep 0.01; done; exit' TERM
echo > client
while :; do sleep 0.01; done
`
const GRACE_MS = 3_600_000

test('a client that is told to end has ended before its hook is told [session-end-order]', async () => {
  const { client, mark, file } = startClient(CLIENT, { HOOK })
  await until(() => existsSync(file('hook')) && readFileSync(file('hook'), 'utf8').endsWith('\n'), 'the hook')
  await until(() => existsSync(file('hook-waits')), 'the child of the hook')
  const hook = Number(readFileSync(file('hook'), 'utf8'))
  const ended = endProcesses(client, mark, GRACE_MS)
  await until(() => existsSync(file('client-told')), 'the client to be told')
  process.kill(hook, 'SIGWINCH')
  await until(() => existsSync(file('hook-asked')), 'the hook to answer')
  expect(existsSync(file('hook-told'))).toBe(false)
  writeFileSync(file('release'), '\n')
  await ended
  expect(existsSync(file('hook-told'))).toBe(true)
})

test('a hook that the client starts while it ends is told to end before it is killed [session-end-order]', async () => {
  const { client, mark, file } = startClient(CLIENT_WITH_LATE_HOOK, { LATE_HOOK })
  await until(() => existsSync(file('client')), 'the client')
  await endProcesses(client, mark, GRACE_MS)
  expect(existsSync(file('late-hook'))).toBe(true)
  expect(existsSync(file('late-hook-told'))).toBe(true)
})

/** Starts a shell script in a directory of its own. Kills what is left of it when the test is over. */
function startClient(script: string, environment: Record<string, string>) {
  const directory = mkdtempSync(join(tmpdir(), 'rehoboam-end-'))
  const mark = `TEST_END_ORDER=${directory}`
  onTestFinished(async () => {
    for (const pid of await withEnvironment(mark)) kill(pid)
    rmSync(directory, { recursive: true, force: true })
  })
  const env = { PATH: process.env.PATH, ...environment, TEST_END_ORDER: directory }
  const child = spawn('/bin/sh', ['-c', script], { cwd: directory, detached: true, env, stdio: 'ignore' })
  return { client: child.pid!, mark, file: (name: string) => join(directory, name) }
}
