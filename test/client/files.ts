import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { type Bench, openBench, type Turn } from '../support/real-client.ts'
import type { Running } from '../support/real-process.ts'
import { until } from '../support/until.ts'
import type { Act } from './performances.ts'
import { ALLOW_ALL, ENDLESS, LATE_MS, SESSION } from './scene.ts'

// What a client writes beside its stream: its transcript, the note by which it is found, its version.

// The client's socket for its talk with other clients.
const NOT_IN_NOTE = ['messagingSocketPath']
const MOMENTS = ['startedAt', 'nameSince', 'updatedAt', 'statusUpdatedAt']

export type Entry = { type: string; fields: string[]; message: string[]; usage: object; totalCostUSD?: number }

export const version: Act = { name: 'version', perform: async program => ({ performance: await versionOf(program) }) }
export const transcript: Act = {
  name: 'transcript',
  perform: async program => ({ performance: await transcriptOf(program) }),
}
export const notes: Act[] = [
  { name: 'note of a client at work', perform: async program => ({ performance: await noteOf(program) }) },
  {
    name: 'note left behind by a signal',
    perform: async program => ({
      performance: { SIGTERM: await isNoteLeft('SIGTERM', program), SIGKILL: await isNoteLeft('SIGKILL', program) },
    }),
  },
]

async function versionOf(program: string[]) {
  await using bench = await openBench([], program)
  const { code, raw } = await bench.run({ args: ['--version'] })
  return { code, raw }
}

/** The fields of each entry, and its figures, in the directory that CLAUDE_CONFIG_DIR names. */
async function transcriptOf(program: string[]): Promise<Entry[]> {
  await using bench = await openBench(turns({}, { text: 'I look.', ...bash('echo hello') }, say('Seen.')), program)
  const config = join(bench.home.home, 'elsewhere')
  await bench.run({ args: ['--session-id', SESSION], env: { CLAUDE_CONFIG_DIR: config } })
  const path = bench.home.transcript(SESSION).replace(join(bench.home.home, '.claude'), config)
  const entries = readFileSync(path, 'utf8').trim().split('\n')
  return entries
    .map(line => JSON.parse(line))
    .filter(({ type }) => ['user', 'assistant', 'cost-state'].includes(type))
    .map(({ type, message = {}, totalCostUSD, ...rest }) => {
      const fields = { fields: Object.keys(rest).sort(), message: Object.keys(message).sort() }
      return { type, ...fields, usage: message.usage ?? {}, totalCostUSD }
    })
}

async function noteOf(program: string[]) {
  await using bench = await openBench([{ reply: ENDLESS }], program)
  const config = join(bench.home.home, 'elsewhere')
  const client = await working(bench, { env: { CLAUDE_CONFIG_DIR: config } })
  const note = await until(() => busyNote(notePath(config, client)), 'the note of a client that works', LATE_MS)
  // Pairs and not an object: the order of the fields is compared too.
  return Object.entries(note).flatMap(([key, value]) => {
    if (NOT_IN_NOTE.includes(key)) return []
    if (MOMENTS.includes(key)) return [[key, Math.abs(Date.now() - Number(value)) < 10 * LATE_MS]]
    if (key === 'pid') return [[key, value === client.pid]]
    if (key === 'procStart') return [[key, value === procStart(client.pid)]]
    if (key === 'pidDomain') return [[key, value === pidDomain()]]
    if (key === 'name') return [[key, String(value).replace(/-[0-9a-f]{2}$/, '-<two digits>')]]
    return [[key, key === 'cwd' ? value === bench.home.cwd : value]]
  })
}

/** Null while it is being written, and before it says that the client works. */
function busyNote(path: string): Record<string, unknown> | null {
  try {
    const note = JSON.parse(readFileSync(path, 'utf8'))
    return note.status === 'busy' ? note : null
  } catch {
    return null
  }
}

async function isNoteLeft(signal: NodeJS.Signals, program: string[]): Promise<boolean> {
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

/** Two processes with the same pid may live in two containers of one machine. Some containers have no machine id. */
function pidDomain(): string {
  const machine = existsSync('/etc/machine-id') ? readFileSync('/etc/machine-id', 'utf8').trim() : ''
  return `linux:${machine}:${readlinkSync('/proc/self/ns/pid')}`
}
