import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { claude, openBench, puppet } from '../support/real-client.ts'
import { processesOf } from '../support/real-orphans.ts'
import { until } from '../support/until.ts'
import { ALLOW_ALL, ENDLESS, LATE_MS } from './scene.ts'

test('a client that is killed with its process group leaves its command behind, and the bench ends it [bench-client-orphans]', async () => {
  for (const program of PLAYS_ALL ? [puppet, claude] : [puppet]) {
    let home = ''
    {
      await using bench = await openBench([{ reply: ENDLESS }], program)
      home = bench.home.home
      const client = bench.start({ args: ALLOW_ALL })
      await until(() => bench.running('sleep 0.1'), 'the command to run', LATE_MS)
      client.kill('SIGKILL')
      await client.ended
      expect(await processesOf(home)).not.toEqual([])
    }
    await until(async () => (await processesOf(home)).length === 0, 'all its processes to be gone')
    expect(existsSync(home)).toBe(false)
  }
})
