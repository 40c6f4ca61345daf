import { expect, test } from 'vitest'
import { Sessions } from '../../src/daemon/sessions/sessions.ts'

test('a run that ended needs its pane no more, whatever else is left to do for it; one whose session still ends does [pane-left]', async () => {
  const tidied: string[] = []
  const pane = { tidyPanes: async (runs: string[]) => void tidied.push(...runs) }
  const sessions = new Sessions({ driverOf: () => pane } as never)
  const run = (id: string, status: string, deed: string) =>
    ({
      id,
      record: { state: { kind: 'session', status, spec: { driver: 'pane' } }, pending: { key: { do: deed } } },
    }) as never
  await sessions.recover([
    run('told', 'cancelled', 'end-session'),
    run('ending', 'cancelled', 'run-session'),
    run('paused', 'paused', 'end-session'),
  ])
  expect(tidied).toEqual(['told'])
})
