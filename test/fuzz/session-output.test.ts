import { randomUUID } from 'node:crypto'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requestSocket } from '../../src/client/socket.ts'
import { serverSent } from '../../src/client/sse.ts'
import type { FeedItem } from '../../src/contract/feed.ts'
import type { RunDetail } from '../../src/contract/run.ts'
import { Random } from '../runtime/lane/random.ts'
import { PLAYS_ALL } from '../support/plays-all.ts'
import { until } from '../support/until.ts'
import { measuredDaemon } from './measured.ts'
import { spoiltLine } from './spoilt-line.ts'

const SEED = 27_182_818
const COUNT = PLAYS_ALL ? 3_000 : 1_000

const line = (fields: object) => JSON.stringify({ session_id: randomUUID(), ...fields })
const RESULT = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'all done',
  total_cost_usd: 0.5,
  num_turns: 1,
}

test(`a client that prints ${COUNT} spoilt lines and then its result: the run is complete, and a follower got every line (seed ${SEED}) [fuzz-stream]`, async () => {
  await using daemon = await measuredDaemon()
  const random = new Random(SEED)
  const said = line({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'hello' }] } })
  const spoilt = Array.from({ length: COUNT }, () => spoiltLine(random, said))
  // Longer than a line may be; its bytes are never held.
  spoilt.splice(COUNT / 2, 0, Buffer.alloc(2_500_000, 'a'))
  const output = [line({ type: 'system', subtype: 'init', model: 'opus' }), ...spoilt, line(RESULT)]
  writeFileSync(
    join(daemon.project, 'output'),
    Buffer.concat(output.map(one => Buffer.concat([Buffer.from(one), Buffer.from('\n')]))),
  )
  const client = join(daemon.project, 'client')
  writeFileSync(client, `#!/bin/sh\ncat "${join(daemon.project, 'output')}"\n`)
  chmodSync(client, 0o755)
  const { id } = await daemon.ask<{ id: string }>('POST', '/v1/runs', {
    request: randomUUID(),
    prompt: 'print',
    directory: daemon.project,
    environment: { ...daemon.environment, REHOBOAM_SESSION_LINE_LIMIT_MB: '2' },
    flags: { claude: client },
    arguments: [],
  })
  const shown = () => daemon.ask<RunDetail>('GET', `/v1/runs/${id}`)
  await until(async () => (await shown()).status !== 'active', 'the run to end')
  expect(await shown()).toMatchObject({ status: 'complete', cause: 'finished', result: 'all done', costUsd: 0.5 })
  const types = await followed(daemon.socket, id)
  expect(types).toHaveLength(output.length)
  expect(types.filter(type => type === 'garbage').length).toBeGreaterThan(COUNT / 4)
  expect(daemon.log()).not.toMatch(/ failed: /)
})

/** The types of all lines that a follower is given, up to the end of the session. */
async function followed(socket: string, run: string): Promise<string[]> {
  const types: string[] = []
  for await (const { data } of serverSent(
    await requestSocket(socket, { method: 'GET', path: `/v1/runs/${run}/feed` }),
  )) {
    const item = JSON.parse(data) as FeedItem
    if ('output' in item) types.push(item.output.type)
    else if (item.event.type === 'session-ended') break
  }
  return types
}
