import { setTimeout as delay } from 'node:timers/promises'
import { isAlive, listProcesses, type Process, withEnvironment } from './process-table.ts'

// Between looks. Short, because a loop waits for this at the end of every iteration.
const LOOK_EVERY_MS = 20
// After KILL only the kernel can be slow (a dead network disk); waiting longer would not help.
const AFTER_KILL_MS = 5_000

/**
 * TERM, grace, KILL to a process, its group, its descendants, and to all that carry its mark in their environment.
 * Resolves when nothing of them is left.
 */
export async function endProcesses(root: number | null, mark: string, graceMs: number): Promise<void> {
  const known = new Set(await belonging(root, mark))
  if (known.size === 0) return
  send(known, 'SIGTERM')
  await waitUntilGone(known, graceMs)
  // What was started meanwhile belongs to it too, and may start more while we look: so look until there is nothing.
  const deadline = performance.now() + AFTER_KILL_MS
  for (;;) {
    for (const pid of await belonging(root, mark)) known.add(pid)
    const alive = await living(known)
    if (alive.length === 0 || performance.now() > deadline) return
    send(alive, 'SIGKILL')
    await delay(LOOK_EVERY_MS)
  }
}

async function belonging(root: number | null, mark: string): Promise<number[]> {
  const marked = await withEnvironment(mark)
  if (root === null) return marked
  const processes = await listProcesses()
  const tree = descendants(root, processes)
  const grouped = processes.filter(process => process.group === root).map(process => process.pid)
  return [...new Set([...tree, ...grouped, ...marked])].filter(pid => pid > 1 && pid !== process.pid)
}

function descendants(root: number, processes: Process[]): number[] {
  const found = processes.some(({ pid }) => pid === root) ? [root] : []
  for (let i = 0; i < found.length; i++) {
    for (const { pid, parent } of processes) if (parent === found[i] && !found.includes(pid)) found.push(pid)
  }
  return found
}

function send(pids: Iterable<number>, signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended by itself in this moment, which is what was wanted.
    }
  }
}

async function waitUntilGone(pids: Iterable<number>, forMs: number): Promise<void> {
  const deadline = performance.now() + forMs
  while ((await living(pids)).length > 0 && performance.now() < deadline) await delay(LOOK_EVERY_MS)
}

async function living(pids: Iterable<number>): Promise<number[]> {
  const found = await Promise.all(Array.from(pids, async pid => ((await isAlive(pid)) ? [pid] : [])))
  return found.flat()
}
