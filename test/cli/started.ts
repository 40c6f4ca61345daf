import { postRun, untilStatus } from '../session/runs.ts'
import type { TempHome } from '../support/temp-home.ts'

export type Start = { prompt?: string; directory?: string; flags?: Record<string, string> }

/** Starts a run as `rehoboam spawn` does, without a process for it. Gives its id. */
export function startRun(home: TempHome, start: Start = {}): Promise<string> {
  return postRun(home, { prompt: 'go', ...start })
}

/** Starts a run and waits until it is complete. */
export async function completeRun(home: TempHome, start: Start = {}): Promise<string> {
  const run = await startRun(home, start)
  await untilStatus(home, run, 'complete')
  return run
}

/** What `rehoboam pause`, `cancel`, `tell` and `resume` ask for. */
export function change(home: TempHome, run: string, how: string, body: object = {}): Promise<unknown> {
  return home.daemon.ask({ method: 'POST', path: `/v1/runs/${run}/${how}`, body })
}
