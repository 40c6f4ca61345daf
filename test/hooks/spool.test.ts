import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PROGRAM, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { arrived, spooled } from './spooled.ts'

test('a hook that was started first and writes last arrives first [hook-order]', async () => {
  await using home = await tempHome()
  const hook = (name: string) => {
    const call = { tool_name: 'Bash', tool_input: { command: ': call-1;' }, tool_use_id: 't1' }
    const child = spawn(process.execPath, [PROGRAM, 'hook'], { env: { ...home.env, CLAUDE_PID: String(process.pid) } })
    const payload = { session_id: 'somebody', cwd: '/somewhere', hook_event_name: name, ...call }
    // With a second thread it has read its clock already.
    const isUp = () => !/^Threads:\t1$/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
    return { isUp, send: () => child.stdin.end(JSON.stringify(payload)), ended: once(child, 'close') }
  }
  const first = hook('PreToolUse')
  await until(first.isUp, 'the first hook to run')
  const second = hook('PostToolUse')
  second.send()
  await second.ended
  first.send()
  await first.ended
  expect(spooled(home)).toEqual(['PostToolUse 1', 'PreToolUse 1'])
  await home.daemon.ready()
  expect(await arrived(home)).toEqual(['PreToolUse 1', 'PostToolUse 1'])
})
