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

/** A loop of one iteration that ends while its files are written: at the first call of `moment`. */
function ending(moment: 'state file' | 'events') {
  const directory = mkdtempSync(join(tmpdir(), 'history-log-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const played = (steps?: number) =>
    playLoop({ directory }, [{ facts: { claim: 'stop-word' } }], steps === undefined ? {} : { steps })
  const [going, ended] = [played(3), played()]
  const events = Array.from({ length: ended.seq }, (_, n) => ({ type: 'told', seq: n + 1, at: 1_000 }) as Stamped)
  let record = going
  const stateFiles = new StateFiles()
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
  const { write } = stateFiles
  stateFiles.write = (...words) => {
    if (moment === 'state file') record = ended
    return write.apply(stateFiles, words)
  }
  const outside = { disk: realDisk, stateFiles, textsOf: () => textsIn(directory, realDisk) }
  return { directory, going, ended, project: () => project(outside, run) }
}

test('a run that ends while its files are written has its end in session_history.log only when the other files have it [loop-log-end]', async () => {
  const { directory, project } = ending('state file')
  const hasEnd = () => linesOf(directory, 'session_history.log').some(line => line.endsWith('ended'))
  await project()
  expect(hasEnd()).toBe(false)
  await project()
  expect(hasEnd()).toBe(true)
  expect(linesOf(directory, 'activity.log').join()).toContain(' iteration 1: ')
  expect(JSON.parse(linesOf(directory, 'state.json').join(''))).toMatchObject({ status: 'complete' })
})

test('a run that ends while its history is written has its end as the last line of it, once [loop-log-end]', async () => {
  const { directory, going, ended, project } = ending('events')
  await project()
  await project()
  await project()
  const lines = linesOf(directory, 'session_history.log').map(line => line.slice(line.indexOf('[')))
  expect(going.state.status).toBe('active')
  expect(lines.filter(line => line.includes('told'))).toHaveLength(ended.seq)
  expect(lines.at(going.seq)).toBe(`[${going.seq}] active, ${going.state.doing.is}`)
  expect(lines.filter(line => line.endsWith('ended'))).toEqual([
    `[${ended.seq}] complete (${ended.state.cause}), ended`,
  ])
  expect(lines.at(-1)).toMatch(/ended$/)
})
