import { join } from 'node:path'
import { openFileJournal } from '../../src/adapters/journal/file-journal.ts'
import { writeLine } from '../../src/adapters/journal/line.ts'
import type { RunEvent, Stamped } from '../../src/contract/event.ts'
import { memoryDisk } from './memory-disk.ts'

export const RUN = 'k3v9x0ab'
export const AT = 1_760_000_000_000
export const DIRECTORY = '/runs/k3v9x0ab'
export const JOURNAL = join(DIRECTORY, 'journal.ndjson')
export const STATE = join(DIRECTORY, 'state.json')
const ref = (n: number) => n.toString(16).padStart(64, '0')

export const CREATED: RunEvent = {
  type: 'run-created',
  kind: 'session',
  run: RUN,
  request: '5d6c6a1e-0f9a-4c3f-9d0e-0a4b7d1c2e3f',
  spec: {
    session: '0b0e3c6e-8f53-4c0c-9a7e-5b9a3f1c2d4e',
    project: '/home/ümlaut/project',
    driver: 'headless',
    client: 'claude',
    model: null,
    permissionMode: 'acceptEdits',
    allowedTools: ['Edit', 'Bash(npm test *)'],
    arguments: [],
    directories: [],
    maxCostUsd: null,
    maxTimeMs: null,
    backgroundGraceMs: 120_000,
    endGraceMs: 5_000,
    crashRetries: 3,
    stuckAfterMs: 600_000,
    lineLimitBytes: 10_000_000,
    endsWithTurn: false,
    noQuestions: false,
  },
  prompt: ref(1),
  environment: { kept: { PATH: '/bin', LANG: 'C.UTF-8' }, credentials: ['ANTHROPIC_API_KEY'], others: [] },
}

const effect = `${RUN}:1:0`
const LIFE: RunEvent[] = [
  CREATED,
  { type: 'session-started', effect, turn: 1, pid: 4711, without: [] },
  { type: 'session-reported', effect, turn: 1, report: { kind: 'init', offset: 400, model: 'opus' } },
  { type: 'told', text: ref(2) },
  { type: 'told', text: ref(3) },
  {
    type: 'session-reported',
    effect,
    turn: 1,
    report: { kind: 'result', offset: 900, isError: false, why: 'ok', costUsd: 0.25, turns: 2 },
  },
]

/** The first events of a run; after its life, people go on telling it things. */
export function events(count: number): Stamped[] {
  const told = (n: number): RunEvent => ({ type: 'told', text: ref(n) })
  return Array.from({ length: count }, (_, n) => ({ seq: n + 1, at: AT + n, ...(LIFE[n] ?? told(n)) }))
}

export const bytesOf = (list: Stamped[]) => Buffer.from(list.map(writeLine).join(''))

/** A journal of these bytes, opened, with what came of it. `state` is a snapshot's file beside it. */
export async function opened(bytes: Uint8Array, state?: Uint8Array) {
  const disk = memoryDisk(new Map([[JOURNAL, bytes], ...(state ? [[STATE, state] as const] : [])]))
  const found = await openFileJournal(DIRECTORY, disk)
  const aside = found.repaired && disk.files.get(join(DIRECTORY, found.repaired.aside))
  return { ...found, disk, file: () => Buffer.from(disk.files.get(JOURNAL)!), aside: aside && Buffer.from(aside) }
}

/** The snapshot's file as it stands after these events. */
export async function snapshotAfter(list: Stamped[], value: unknown): Promise<Uint8Array> {
  const { journal, disk } = await opened(bytesOf(list))
  await journal.saveSnapshot(value)
  return disk.files.get(STATE)!
}
