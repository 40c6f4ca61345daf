import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realDisk } from '../../src/adapters/disk.ts'
import { textsIn } from '../../src/adapters/texts.ts'
import type { Stamped } from '../../src/contract/event.ts'
import { project } from '../../src/daemon/loops/projections.ts'
import { StateFiles } from '../../src/daemon/loops/state-file.ts'
import { linesOf } from '../session/runs.ts'
import { playLoop } from './loop-world.ts'

test('a run that ends while its history is written has its end as the last line of it, once [loop-log-end]', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'history-log-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const outside = { disk: realDisk, stateFiles: new StateFiles(), textsOf: () => textsIn(directory, realDisk) }
  const played = (steps?: number) =>
    playLoop({ directory }, [{ facts: { claim: 'stop-word' } }], steps === undefined ? {} : { steps })
  const [going, ended] = [played(3), played()]
  const events = Array.from({ length: ended.seq }, (_, n) => ({ type: 'told', seq: n + 1, at: 1_000 }) as Stamped)
  let record = going
  const run = {
    id: ended.state.id,
    get record() {
      return record
    },
    eventsAfter: async (seq: number) => {
      record = ended
      return events.slice(seq)
    },
  }
  await project(outside, run)
  await project(outside, run)
  await project(outside, run)
  const lines = linesOf(directory, 'session_history.log').map(line => line.slice(line.indexOf('[')))
  expect(going.state.status).toBe('active')
  expect(lines.filter(line => line.includes('told'))).toHaveLength(ended.seq)
  expect(lines.at(going.seq)).toBe(`[${going.seq}] active, ${going.state.phase}`)
  expect(lines.filter(line => line.endsWith('ended'))).toEqual([
    `[${ended.seq}] complete (${ended.state.cause}), ended`,
  ])
  expect(lines.at(-1)).toMatch(/ended$/)
})
