import { setTimeout as passed } from 'node:timers/promises'

const LOOK_EVERY_MS = 15

/** For what has no events, such as a file that another program writes: looks until it is so, or says that it is late. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, timeoutMs = 15_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await passed(LOOK_EVERY_MS)
  }
}
