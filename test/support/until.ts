import { setTimeout as delay } from 'node:timers/promises'

/**
 * Waits for a condition, with a deadline and a sentence for when it is missed. Gives back what the condition gave. A condition
 * that reads a file which is not there is not met yet.
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string | (() => string),
  withinMs = 180_000,
): Promise<NonNullable<T>> {
  const from = performance.now()
  for (;;) {
    let missing = ''
    try {
      const value = await condition()
      if (value) return value as NonNullable<T>
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      missing = `: ${(error as Error).message}`
    }
    const waitedMs = performance.now() - from
    if (waitedMs > withinMs)
      throw new Error(`waited ${withinMs} ms for ${typeof what === 'string' ? what : what()}${missing}`)
    // Who has waited long may be told a twentieth later: looking keeps a machine from doing what is waited for.
    await delay(Math.min(100, 10 + waitedMs / 20))
  }
}
