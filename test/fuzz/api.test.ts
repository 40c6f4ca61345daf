import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { Random } from '../runtime/lane/random.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { until } from '../support/until.ts'
import { malformed } from './malformed.ts'
import { type Measured, measuredDaemon, mostBytesAfter } from './measured.ts'
import { Shooter } from './shoot.ts'

const SEED = 20_261_115
const [FIRST, ALL] = PLAYS_ALL ? [10_000, 50_000] : [2_000, 10_000]
const AT_ONCE = 16

/** A run that has ended, so that the doors of a run can be tried too. */
async function endedRun({ ask, project, environment }: Measured): Promise<string> {
  const body = {
    request: randomUUID(),
    prompt: 'x',
    directory: project,
    environment,
    flags: { claude: '/none' },
    arguments: [],
  }
  const { id } = await ask<{ id: string }>('POST', '/v1/runs', body)
  await until(async () => (await ask<RunDetail>('GET', `/v1/runs/${id}`)).status === 'failed', 'the run to have ended')
  return id
}

test(`${ALL} malformed requests: each is refused with a 4xx and a sentence, and memory stays where it was (seed ${SEED}) [fuzz-api] [fuzz-memory]`, async () => {
  await using daemon = await measuredDaemon()
  const random = new Random(SEED)
  const target = { run: await endedRun(daemon), directory: daemon.project, port: daemon.port }
  const complaints: string[] = []
  const shoot = async (count: number, sent: number) => {
    let next = sent
    const one = async () => {
      const shooter = new Shooter(daemon)
      while (next++ < count && complaints.length < 20) {
        const complaint = await shooter.complaint(malformed(random, target))
        if (complaint) complaints.push(complaint)
      }
      shooter.close()
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
  }
  await shoot(FIRST, 0)
  const early = await daemon.memory()
  await shoot(ALL, FIRST)
  const late = await daemon.memory()
  expect(complaints).toEqual([])
  expect(daemon.isAlive()).toBe(true)
  expect(late, `${early} bytes after ${FIRST}, ${late} after ${ALL}`).toBeLessThan(mostBytesAfter(early, ALL - FIRST))
  const runs = await daemon.ask<unknown[]>('GET', '/v1/runs')
  expect(runs).toHaveLength(1)
  expect(daemon.log()).not.toMatch(/ failed: /)
})
