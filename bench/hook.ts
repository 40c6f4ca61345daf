import { spawnSync } from 'node:child_process'
import { PROGRAM, tempHome } from '../test/support/temp-home.ts'
import { compare, type Figure, timed } from './statistics.ts'

/** What a client pays for each command hook: the built program with an ordinary event, a daemon running. */
export async function hookBench(): Promise<Figure[]> {
  await using home = await tempHome()
  await home.daemon.ready()
  const node = (...args: string[]) => {
    const { status, stdout } = spawnSync(process.execPath, args, { env: home.env, input: EVENT })
    if (status !== 0 || stdout.length > 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stdout}`)
  }
  const baseline = { name: 'node -e 0', run: () => timed(() => node('-e', '0')) }
  const subject = { name: 'rehoboam hook', run: () => timed(() => node(PROGRAM, 'hook')) }
  const figure = await compare('a command hook', { baseline, subject }, 30, { ratio: 1.3 })
  const { history } = await home.daemon.ask<{ history: unknown[] }>({ path: `/v1/agents/${SESSION}` })
  if (history.length !== 31) throw new Error(`${history.length} of 31 events arrived`)
  return [figure]
}

const SESSION = '5c1f2f6e-3a53-4a0c-9d51-0d6f1f0a7b11'

const EVENT = JSON.stringify({
  session_id: SESSION,
  transcript_path: `/home/somebody/.claude/projects/-home-somebody-project/${SESSION}.jsonl`,
  cwd: '/home/somebody/project',
  permission_mode: 'default',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'npm test -- --run', description: 'Runs the tests' },
  tool_response: { stdout: 'ok 1 - it works\n'.repeat(120), stderr: '', interrupted: false, isImage: false },
  tool_use_id: 'toolu_01A09q90qw90lq917835lq9',
  duration_ms: 1240,
})
