import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Changes } from '../../adapters/changes.ts'
import { LineReader } from '../../adapters/line-reader.ts'
import type { AgentLogItem } from '../../contract/agent-detail.ts'
import { logItem } from '../../contract/agent-log.ts'

// What a person reads of a long session is its end; the file itself is there for the rest.
const SHOWN_BYTES = 2_000_000
const LINE_LIMIT = 32_000_000
// Where the file system does not tell of changes, and for an end that no file tells of.
const LOOK_EVERY_MS = 1_000

type Told = {
  /** Where its transcript is, once that is known. */
  path(): string
  isOver(): boolean
  /** The byte after what the reader has seen, or null: from the beginning, or what is left of it. */
  from: number | null
  signal: AbortSignal
}

/** An agent's transcript from a byte on, and then as it grows, until the reader leaves or the agent has ended. */
export async function* agentLog({ path, isOver, from, signal }: Told): AsyncGenerator<AgentLogItem> {
  let reader: LineReader | null = null
  let changes: Changes | null = null
  let caughtUp = false
  let cursor = from ?? 0
  try {
    while (!signal.aborted) {
      const over = isOver()
      if (!reader && path()) {
        const start = from ?? (await beginning(path()))
        reader = new LineReader(path(), start, LINE_LIMIT)
        changes = new Changes(dirname(path()))
        if (from === null && start > 0) yield { cursor: String(start), skippedBytes: start }
      }
      changes?.arm()
      for await (const { line, offset } of reader?.read({ rest: over }) ?? []) {
        cursor = offset
        const item = line === null ? null : logItem(line)
        if (item) yield { cursor: String(offset), ...item }
      }
      if (!caughtUp || over) yield { cursor: String(cursor), caughtUp: true, ended: over }
      if (over) return
      caughtUp = true
      await (changes ?? new Changes('')).wait(LOOK_EVERY_MS, signal)
    }
  } finally {
    changes?.close()
    await reader?.close()
  }
}

/** Zero, or the middle of a line not too far from the end: half a line is no JSON and says nothing. */
async function beginning(path: string): Promise<number> {
  const { size } = await stat(path).catch(() => ({ size: 0 }))
  return size > SHOWN_BYTES ? size - SHOWN_BYTES : 0
}
