import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type Bench, claude, openBench, type Turn } from '../support/real-client.ts'
import type { Running } from '../support/real-process.ts'
import { buildPuppet, type Puppet } from '../support/real-puppet.ts'
import { until } from '../support/until.ts'
import { ALLOW_ALL, ENDLESS, LATE_MS, SESSION } from './scene.ts'

let puppet: Puppet
beforeAll(async () => {
  puppet = await buildPuppet()
})
afterAll(() => puppet[Symbol.asyncDispose]())

// What only the client's own talk among clients needs, and the puppet does not play.
const NOT_PLAYED = ['messagingSocketPath']
const MOMENTS = ['startedAt', 'nameSince', 'updatedAt', 'statusUpdatedAt']

describe.concurrent('the note that a running client leaves of itself', () => {
  test('says the same of the puppet as of the real client, in the directory that is set [puppet-session-note]', async ({
    expect,
  }) => {
    const [double, original] = await Promise.all([noted(puppet.program), noted(claude)])
    expect(double).toEqual(original)
  })

  test('is gone after an end, also one by TERM, and left behind by KILL [puppet-session-note]', async ({ expect }) => {
    for (const program of [puppet.program, claude]) {
      expect(await leftBy('SIGTERM', program)).toBe(false)
      expect(await leftBy('SIGKILL', program)).toBe(true)
    }
  })
})

async function noted(program: string[]) {
  await using bench = await openBench([{ reply: ENDLESS }], program)
  const config = join(bench.home.home, 'elsewhere')
  const client = await working(bench, { env: { CLAUDE_CONFIG_DIR: config } })
  const note = await until(() => whole(notePath(config, client)), 'the note of a client that works', LATE_MS)
  // Pairs and not an object: whoever reads the file by eye, or by a slice, knows the order.
  return Object.entries(note).flatMap(([key, value]) => {
    if (NOT_PLAYED.includes(key)) return []
    if (MOMENTS.includes(key)) return [[key, Math.abs(Date.now() - Number(value)) < 10 * LATE_MS]]
    if (key === 'pid') return [[key, value === client.pid]]
    if (key === 'procStart') return [[key, value === procStart(client.pid)]]
    if (key === 'name') return [[key, String(value).replace(/-[0-9a-f]{2}$/, '-<two digits>')]]
    return [[key, key === 'cwd' ? value === bench.home.cwd : value]]
  })
}

/** Null while it is being written, and before it says that it works. */
function whole(path: string): Record<string, unknown> | null {
  try {
    const note = JSON.parse(readFileSync(path, 'utf8'))
    return note.status === 'busy' ? note : null
  } catch {
    return null
  }
}

async function leftBy(signal: NodeJS.Signals, program: string[]): Promise<boolean> {
  await using bench = await openBench([{ reply: ENDLESS }], program)
  const client = await working(bench)
  const path = notePath(join(bench.home.home, '.claude'), client)
  if (!existsSync(path)) throw new Error('there was no note even while it ran')
  process.kill(client.pid, signal)
  await client.ended
  return existsSync(path)
}

async function working(bench: Bench, turn: Turn = {}): Promise<Running> {
  const client = bench.start({ ...turn, args: ['--session-id', SESSION, ...ALLOW_ALL] })
  await until(() => bench.running('sleep 0.1'), 'the tool to run', LATE_MS)
  return client
}

function notePath(config: string, { pid }: Running): string {
  return join(config, 'sessions', `${pid}.json`)
}

function procStart(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]!
}
