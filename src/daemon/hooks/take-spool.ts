import { existsSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseHook } from '../../contract/hook.ts'
import { HookBody } from '../../contract/hook-body.ts'
import type { HookDesk } from './hook-desk.ts'

type Log = (line: string) => void

const filesIn = (home: string) => [join(home, 'spool.ndjson'), join(home, 'spool.taken.ndjson')] as const

/** Takes in, in order, what hooks left in the file while nobody served. Before the doors open: later events are newer. */
export async function takeSpool(home: string, desk: HookDesk, now: number, log: Log): Promise<void> {
  const [path, taken] = filesIn(home)
  const take = desk.take.bind(desk)
  // One that is there already was being taken in when we died: its events are known by their ids.
  let count = await takeFile(taken, take, now)
  if (await setAside(path, taken)) count += await takeFile(taken, take, now)
  if (count > 0) log(`${count} events were heard while no daemon ran`)
}

/**
 * Takes in what hooks leave there although we serve: on a busy machine we may not answer them in time. What is set aside
 * at one look is read at the next: whoever was about to write to it then has done so.
 */
export async function takeLate(home: string, desk: HookDesk, now: number, log: Log): Promise<void> {
  const [path, taken] = filesIn(home)
  if (existsSync(taken)) {
    const count = await takeFile(taken, desk.takeLate.bind(desk), now)
    if (count > 0) log(`${count} events came late: their hooks had no answer in time`)
  }
  if (existsSync(path)) await setAside(path, taken)
}

function setAside(path: string, taken: string): Promise<boolean> {
  return rename(path, taken).then(
    () => true,
    () => false,
  )
}

type Take = (...args: Parameters<HookDesk['take']>) => void | Promise<void>

async function takeFile(path: string, take: Take, now: number): Promise<number> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const bodies = text.split('\n').flatMap(line => bodyOf(line) ?? [])
  let count = 0
  // A client does not wait for most of its hooks: they run side by side, and one that was started later may write first.
  for (const body of bodies.sort((a, b) => a.at - b.at)) {
    const event = parseHook(body.hook, body.isCut)
    if (!event) continue
    await take(body.id, event, body.where, Math.min(body.at, now))
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
