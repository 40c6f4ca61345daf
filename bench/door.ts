import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { realDisk } from '../src/adapters/disk.ts'
import { Tokens } from '../src/daemon/sessions/tokens.ts'
import { tempHome } from '../test/support/temp-home.ts'
import type { Load, Replies } from './door-load.ts'
import { type Measure, rounded } from './statistics.ts'

// As many as may run at once, each as busy as no session is.
const SESSIONS = 16
const LOAD = { perSecond: 1_000, warmUpS: 10, forS: 60 }

/** The HTTP door under events of sessions that we started, sent by another process. */
export async function doorBench(): Promise<Measure[]> {
  await using home = await tempHome()
  await home.daemon.ready()
  const tokens = await Tokens.open(join(home.home, 'key'), realDisk)
  const sessions = Array.from({ length: SESSIONS }, () => {
    const id = randomUUID()
    return { id, token: tokens.ofSession(id) }
  })
  const load = fork(join(import.meta.dirname, 'door-load.ts'))
  load.send({ ...LOAD, port: home.daemon.registration()!.port, sessions } satisfies Load)
  const [{ tookMs, refused }] = (await once(load, 'message')) as [Replies]
  const wanted = LOAD.perSecond * LOAD.forS
  // A sender that could not keep up would flatter the door.
  if (refused > 0 || tookMs.length < wanted * 0.99) {
    throw new Error(`${tookMs.length} of ${wanted} events were answered, ${refused} refused`)
  }
  const sorted = tookMs.toSorted((a, b) => a - b)
  const at = (share: number) => rounded(sorted[Math.floor(sorted.length * share)]!)
  const what = `p99 at ${LOAD.perSecond} events a second for ${LOAD.forS} s, median ${at(0.5)} ms`
  return [{ name: 'the HTTP door', what, is: at(0.99), unit: 'ms', under: 5 }]
}
