import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TempHome } from '../support/temp-home.ts'
import { kill } from '../support/temp-home.ts'
import { until } from '../support/until.ts'

/** What runs for one state directory: its supervisors, its daemons, and the processes of its sessions. */

export function supervisorsOf(home: TempHome): number[] {
  return themselves(owned(home).filter(({ argv }) => argv.includes('rehoboam-supervisor')))
}

export function daemonsOf(home: TempHome): number[] {
  return themselves(
    owned(home).filter(
      ({ argv }) => argv.at(-2) === 'daemon' && argv.at(-1) === 'run' && !argv.includes('rehoboam-supervisor'),
    ),
  )
}

/** What one of them is about to start looks like itself for the moment between fork and exec. */
function themselves(found: Seen[]): number[] {
  const pids = found.map(({ pid }) => pid)
  return found.filter(({ parent }) => !pids.includes(parent)).map(({ pid }) => pid)
}

/** Everything that the sessions of a home's runs started, and their clients. */
export function sessionProcessesOf(home: TempHome): number[] {
  const turns = home.runs().map(run => `REHOBOAM_TURN=${join(home.home, 'runs', run)}/`)
  return owned(home)
    .filter(({ environment }) => turns.some(turn => environment.includes(turn)))
    .map(({ pid }) => pid)
}

/** The client of a turn: the child of its wrapper. */
export function clientOf(wrapper: number): number {
  const found = processes().find(({ parent }) => parent === wrapper)
  if (!found) throw new Error(`process ${wrapper} has no child`)
  return found.pid
}

/** One that only waits to be collected by its parent runs no more. */
export function isRunning(pid: number): boolean {
  return processes().some(process => process.pid === pid)
}

/** Kills the daemon and waits until the next one serves; gives its process id. */
export async function killDaemon(home: TempHome): Promise<number> {
  const before = await untilServes(home)
  kill(before)
  return untilServes(home, before)
}

/** A daemon other than this one serves; gives its process id. */
export function untilServes(home: TempHome, otherThan = 0): Promise<number> {
  return until(async () => {
    const status = await home.daemon.askRunning<{ pid: number }>({ path: '/v1/status' }).catch(() => null)
    if (status && status.pid !== otherThan) return status.pid
    await delay(30)
    return null
  }, 'a daemon to serve')
}

type Seen = { pid: number; parent: number; argv: string[]; environment: string }

function owned(home: TempHome): Seen[] {
  const isOurs = (text: string) => text.includes(`${home.root}/`)
  return processes().filter(
    ({ pid, argv, environment }) => pid !== process.pid && (isOurs(environment) || argv.some(isOurs)),
  )
}

function processes(): Seen[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        if (state === 'Z' || state === 'X') return []
        const argv = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').slice(0, -1)
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8')
        return [{ pid: Number(name), parent: Number(parent), argv, environment }]
      } catch {
        return [] // It ended while we looked.
      }
    })
}
