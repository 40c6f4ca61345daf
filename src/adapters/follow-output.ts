import { dirname } from 'node:path'
import type { Exit } from '../contract/event.ts'
import type { Follow, Standing } from '../ports.ts'
import { Changes } from './changes.ts'
import { LineReader } from './line-reader.ts'

// The file system tells us of changes at once. This is only for file systems that do not, and for a process that
// was killed together with its wrapper and leaves no file behind.
const LOOK_EVERY_MS = 500

// A shell starts within milliseconds. Long after that it never will; should it wake up all the same, it finds its
// turn abandoned and does nothing.
const START_WITHIN_MS = 20_000

/** Reads a session's output as it grows, until the session has ended and everything it wrote has been read. */
export async function followOutput(
  path: string,
  turn: { look(): Promise<Standing>; abandon(): Promise<boolean> },
  follow: Follow,
): Promise<{ exit: Exit; outputBytes: number }> {
  const changes = new Changes(dirname(path))
  const reader = new LineReader(path, follow.from, follow.lineLimitBytes)
  let saidStarted = false
  const givenUpAt = performance.now() + START_WITHIN_MS
  try {
    for (;;) {
      changes.arm()
      // Looked at before reading: what was written before the end is then surely read after it.
      const standing = await turn.look()
      if (standing.is !== 'absent' && !saidStarted) {
        saidStarted = true
        follow.onStarted(standing.pid)
      }
      if (standing.is === 'absent' && performance.now() > givenUpAt) await turn.abandon()
      await pass(reader, standing.is === 'ended', follow)
      if (standing.is === 'ended') return { exit: standing.exit, outputBytes: reader.position }
      await changes.wait(LOOK_EVERY_MS, follow.signal)
    }
  } finally {
    changes.close()
    await reader.close()
  }
}

async function pass(reader: LineReader, isLast: boolean, follow: Follow): Promise<void> {
  for await (const { line, offset } of reader.read({ rest: isLast })) {
    follow.signal.throwIfAborted()
    await follow.onLine(line, offset)
  }
  follow.signal.throwIfAborted()
}
