import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import { execa } from 'execa'

// /proc is memory: reading it at once is many times faster than through the thread pool, and who counts processes that
// start others must be faster than they are. After so many, everybody else gets a turn.
const AT_ONCE = 100
// How long a process may be between two programs before we believe that it has no environment.
const EXEC_MS = 2_000
// From Linux's sched.h: a thread of the kernel, and a process on its way out. Both have no memory, like one that becomes another.
const KERNEL = 0x00200000
const KERNEL_OR_EXITING = KERNEL | 0x4

/** One running process, by its place among the others. */
export type Process = { pid: number; parent: number; group: number }

/** All processes of this machine that we may look at. */
export async function listProcesses(): Promise<Process[]> {
  if (process.platform !== 'linux') return fromPs()
  return ofEach(pid => {
    const stat = readStat(pid)
    return stat && stat.state !== 'Z' ? { pid, parent: stat.parent, group: stat.group } : null
  })
}

/** One whose program and arguments are such; a zombie has none any more. */
export async function withArguments(are: (argv: string[]) => boolean): Promise<number | null> {
  if (process.platform !== 'linux') return (await fromPs()).find(found => are(found.arguments))?.pid ?? null
  const [found = null] = await ofEach(pid => (are(readArguments(pid)) ? pid : null))
  return found
}

/** A process and all that it descends from, nearest first. Whoever was left by its parent descends from process 1. */
export async function lineageOf(pid: number): Promise<number[]> {
  const parents =
    process.platform === 'linux' ? null : new Map((await fromPs()).map(found => [found.pid, found.parent]))
  const line: number[] = []
  for (let at = pid; at > 1 && !line.includes(at); ) {
    line.push(at)
    at = (parents ? parents.get(at) : readStat(at)?.parent) ?? 0
  }
  return line
}

/** Whether a process has this very file open. */
export function holdsOpen(pid: number, path: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some(fd => linkOf(`/proc/${pid}/fd/${fd}`) === path)
  } catch {
    return false
  }
}

/** What a process was started with. */
export function environmentOf(pid: number): Record<string, string> {
  const entries = (read(`/proc/${pid}/environ`) ?? '').split('\0').filter(entry => entry.includes('='))
  return Object.fromEntries(
    entries.map(entry => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  )
}

/** What a process has started itself, with when: now, less how long it runs. */
export async function childrenOf(
  parent: number,
  now: number,
): Promise<(Process & { arguments: string[]; startedAt: number })[]> {
  if (process.platform !== 'linux') {
    const children = (await fromPs()).filter(found => found.parent === parent)
    return children.map(child => ({ ...child, startedAt: now - child.ageMs }))
  }
  const uptimeMs = Number.parseFloat(read('/proc/uptime') ?? '0') * 1000
  return ofEach(pid => {
    const stat = readStat(pid)
    if (!stat || stat.parent !== parent || stat.state === 'Z') return null
    const startedAt = now - uptimeMs + stat.startedMs
    return { pid, parent, group: stat.group, arguments: readArguments(pid), startedAt }
  })
}

/** Alive and not a zombie: one that only waits to be collected works no more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  if (process.platform !== 'linux') return true
  const stat = readStat(pid)
  return stat !== null && stat.state !== 'Z' && stat.state !== 'X'
}

/** Processes whose environment holds `NAME=value`: what a session left behind, even in a group of its own. */
export async function withEnvironment(entry: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const becoming: number[] = []
  const found = await ofEach(pid => {
    const text = read(`/proc/${pid}/environ`)
    if (text === '' && readStat(pid)?.becoming) becoming.push(pid)
    // Nearly all have nothing of it: to take each one's apart would be most of the time.
    return text?.includes(entry) && text.split('\0').includes(entry) && isAlive(pid) ? pid : null
  })
  for (const pid of becoming) if ((await settledEnvironment(pid)).includes(entry) && isAlive(pid)) found.push(pid)
  return found
}

/** A process that is just becoming another program shows none for a moment, and longer when the program comes from a slow disk. */
async function settledEnvironment(pid: number): Promise<string[]> {
  const deadline = performance.now() + EXEC_MS
  for (;;) {
    const text = read(`/proc/${pid}/environ`)
    if (text) return text.split('\0')
    if (!readStat(pid)?.becoming || performance.now() > deadline) return []
    await delay(1)
  }
}

export async function argumentsOf(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') return (await fromPs()).find(found => found.pid === pid)?.arguments ?? []
  return readArguments(pid)
}

async function ofEach<T>(look: (pid: number) => T | null): Promise<T[]> {
  const kernel = kernelThreads()
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name) && !kernel.has(name))
  const found: T[] = []
  for (const [i, pid] of pids.entries()) {
    const seen = look(Number(pid))
    if (seen !== null) found.push(seen)
    if (i % AT_ONCE === AT_ONCE - 1) await turn()
  }
  return found
}

/** They are half of all processes or more, and nobody's: their parent, the second of all where there is one, knows them. */
function kernelThreads(): Set<string> {
  if (!readStat(2)?.isKernel) return new Set()
  return new Set((read('/proc/2/task/2/children') ?? '').split(' '))
}

function readArguments(pid: number): string[] {
  return (read(`/proc/${pid}/cmdline`) ?? '').split('\0').slice(0, -1)
}

// Places in /proc/<pid>/stat, counted from the state.
const FLAGS = 6
const START = 19
const ENVIRONMENT_END = 48

// Of Linux's clock, on every platform that Node runs on.
const TICKS_PER_SECOND = 100

type Stat = { state: string; parent: number; group: number; becoming: boolean; isKernel: boolean; startedMs: number }

function readStat(pid: number): Stat | null {
  const text = read(`/proc/${pid}/stat`)
  if (text === null) return null
  // The program's name stands in brackets and may hold anything, brackets and spaces too.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = '', parent, group] = fields
  const becoming = (Number(fields[FLAGS]) & KERNEL_OR_EXITING) === 0 && fields[ENVIRONMENT_END] === '0'
  const isKernel = (Number(fields[FLAGS]) & KERNEL) !== 0
  const startedMs = (Number(fields[START]) * 1000) / TICKS_PER_SECOND
  return { state, parent: Number(parent), group: Number(group), becoming, isKernel, startedMs }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Where there is no /proc. Arguments come joined by spaces, which is enough to find a session id among them. */
async function fromPs(): Promise<(Process & { arguments: string[]; ageMs: number })[]> {
  const { stdout } = await execa('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,stat=,etime=,args='])
  return stdout.split('\n').flatMap(line => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line)
    if (!match || match[4]?.startsWith('Z')) return []
    const [pid, parent, group] = [Number(match[1]), Number(match[2]), Number(match[3])]
    return [{ pid, parent, group, arguments: (match[6] ?? '').split(' '), ageMs: ageOf(match[5] ?? '') }]
  })
}

/** `[[days-]hours:]minutes:seconds`, as ps says it everywhere. */
function ageOf(elapsed: string): number {
  const [time = '', days = '0'] = elapsed.split('-').reverse()
  const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return (Number(days) * 86_400 + seconds) * 1000
}
