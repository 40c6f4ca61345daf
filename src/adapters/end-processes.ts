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
  let targets = await belonging(root, mark)
  send(targets, 'SIGTERM')
  const alive = await waitUntilGone(targets, graceMs)
  // What was started meanwhile belongs to it too.
  targets = [...new Set([...alive, ...(await belonging(root, mark))])]
  if (targets.length === 0) return
  send(targets, 'SIGKILL')
  await waitUntilGone(targets, AFTER_KILL_MS)
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

function send(pids: number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It ended by itself in this moment, which is what was wanted.
    }
  }
}

async function waitUntilGone(pids: number[], forMs: number): Promise<number[]> {
  const deadline = performance.now() + forMs
  for (;;) {
    const alive: number[] = []
    for (const pid of pids) if (await isAlive(pid)) alive.push(pid)
    if (alive.length === 0 || performance.now() >= deadline) return alive
    await delay(LOOK_EVERY_MS)
  }
}
