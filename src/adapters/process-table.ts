import { readdir, readFile } from 'node:fs/promises'
import { execa } from 'execa'

/** One running process, as far as it can be seen. */
export type Process = { pid: number; parent: number; group: number; arguments: string[] }

/** All processes of this machine that we may look at. */
export function listProcesses(): Promise<Process[]> {
  return process.platform === 'linux' ? fromProc() : fromPs()
}

/** Alive and not a zombie: one that only waits to be collected works no more. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  if (process.platform !== 'linux') return true
  const stat = await readStat(pid)
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X'
}

/** Processes whose environment holds `NAME=value`: what a session left behind, even in a group of its own. */
export async function withEnvironment(entry: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const pids = await numbered()
  const found = await Promise.all(
    pids.map(async pid => {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      return text.split('\0').includes(entry) && (await isAlive(pid)) ? pid : null
    }),
  )
  return found.filter(pid => pid !== null)
}

export async function argumentsOf(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') return (await fromPs()).find(found => found.pid === pid)?.arguments ?? []
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line.split('\0').slice(0, -1)
}

async function fromProc(): Promise<Process[]> {
  const pids = await numbered()
  const found = await Promise.all(
    pids.map(async (pid): Promise<Process | null> => {
      const stat = await readStat(pid)
      if (!stat || stat.state === 'Z') return null
      return { pid, parent: stat.parent, group: stat.group, arguments: await argumentsOf(pid) }
    }),
  )
  return found.filter(process => process !== null)
}

async function numbered(): Promise<number[]> {
  return (await readdir('/proc')).filter(name => /^\d+$/.test(name)).map(Number)
}

async function readStat(pid: number): Promise<{ state: string; parent: number; group: number } | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The program's name stands in brackets and may hold anything, brackets and spaces too.
  const [state, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state: state ?? '', parent: Number(parent), group: Number(group) }
}

/** Where there is no /proc. Arguments come joined by spaces, which is enough to find a session id among them. */
async function fromPs(): Promise<Process[]> {
  const { stdout } = await execa('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,stat=,args='])
  return stdout.split('\n').flatMap(line => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line)
    if (!match || match[4]?.startsWith('Z')) return []
    const [pid, parent, group] = [Number(match[1]), Number(match[2]), Number(match[3])]
    return [{ pid, parent, group, arguments: (match[5] ?? '').split(' ') }]
  })
}
