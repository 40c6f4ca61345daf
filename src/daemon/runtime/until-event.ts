import type { Run } from './live-run.ts'

/** Looks now and after every event of these runs, until `isDone`. Rejects when the daemon stops. */
export async function untilEvent(runs: Run[], stopping: AbortSignal, isDone: () => boolean): Promise<void> {
  stopping.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () => {
    if (isDone()) resolve()
  }
  const stop = () => reject(stopping.reason)
  const unlisten = runs.map(run => run.listen(look))
  stopping.addEventListener('abort', stop)
  look()
  try {
    await promise
  } finally {
    for (const leave of unlisten) leave()
    stopping.removeEventListener('abort', stop)
  }
}
