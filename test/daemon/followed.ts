import { say, turns } from '../../src/rehearsal/replies.ts'
import type { TempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { daemonsOf, supervisorsOf } from './processes.ts'

export const HANGING = turns({}, say('Done.', { fault: { kind: 'hang', name: 'hold' } }))

/** A run that waits for the model, one who waits for it, and one who follows it. */
export async function followed(home: TempHome) {
  const waiting = home.start(['spawn', '--prompt', 'Do it', '--wait'])
  await home.model.waitFor(() => true)
  const [run = ''] = home.runs()
  const following = home.start(['logs', '-f', run])
  for (const { out } of [waiting, following]) await until(() => out().includes('session '), 'it to follow')
  return { run, waiting, following }
}

export const nobodyServes = (home: TempHome) => daemonsOf(home).length + supervisorsOf(home).length === 0
