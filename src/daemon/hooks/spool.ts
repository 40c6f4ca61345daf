import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseHook } from '../../contract/hook.ts'
import { HookBody } from '../../contract/hook-body.ts'
import type { HookDesk } from './hook-desk.ts'

/** Takes in, in order, what hooks left in the file while nobody served. Before the doors open: later events are newer. */
export async function takeSpool(home: string, desk: HookDesk, now: number, log: (line: string) => void): Promise<void> {
  const [path, taken] = [join(home, 'spool.ndjson'), join(home, 'spool.taken.ndjson')]
  // One that is there already was being taken in when we died: its events are known by their ids.
  let count = await takeFile(taken, desk, now)
  const isThere = await rename(path, taken).then(
    () => true,
    () => false,
  )
  if (isThere) count += await takeFile(taken, desk, now)
  if (count > 0) log(`${count} events were heard while no daemon ran`)
}

async function takeFile(path: string, desk: HookDesk, now: number): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const bodies = text.split('\n').flatMap(line => bodyOf(line) ?? [])
  let count = 0
  // A client does not wait for most of its hooks: they run side by side, and one that was started later may write first.
  for (const body of bodies.sort((a, b) => a.at - b.at)) {
    const event = parseHook(body.hook, body.isCut)
    if (!event) continue
    desk.take(body.id, event, body.where, Math.min(body.at, now))
    count += 1
  }
  await rm(path, { force: true })
  return count
}

function bodyOf(line: string): HookBody | null {
  try {
    return HookBody.parse(JSON.parse(line))
  } catch {
    return null
  }
}
