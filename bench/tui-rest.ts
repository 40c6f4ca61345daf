import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { tempHome } from '../test/support/temp-home.ts'
import { dashboardIn } from '../test/tui/terminal.ts'
import { live } from './agents.ts'
import type { Measure } from './statistics.ts'

const AGENTS = 30
const REST_MS = 60_000
// What a clock of the kernel counts in, on every Linux that Node runs on.
const TICK_MS = 10

/** The real dashboard in a terminal, before a real daemon whose agents do nothing new: what it costs to look at it. */
export async function restMeasure(): Promise<Measure> {
  await using home = await tempHome()
  await home.daemon.ready()
  for (let n = 0; n < AGENTS; n++) await live(home, n)
  await using terminal = await dashboardIn(home, { columns: 200, rows: 60 })
  await terminal.open()
  await terminal.sees(`agents  ${AGENTS}`)
  // What compiles and settles at the start is no rest.
  await delay(5_000)
  const before = spentMs(terminal.pid())
  await delay(REST_MS)
  const is = spentMs(terminal.pid()) - before
  return { name: `dashboard at rest, ${AGENTS} agents`, what: 'CPU in 60 s', is, unit: 'ms', under: 300 }
}

function spentMs(pid: number): number {
  // Behind the name of the program, which may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
