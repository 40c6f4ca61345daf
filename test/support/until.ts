import { setTimeout as delay } from 'node:timers/promises'

/** Waits for a condition, with a deadline and a sentence for when it is missed. Gives back what the condition gave. */
export async function until<T>(
  condition: () => T | Promise<T>,
  what: string,
  withinMs = 60_000,
): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await condition()
    if (value) return value as NonNullable<T>
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms for ${what}`)
    await delay(10)
  }
}
