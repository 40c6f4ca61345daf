import { setTimeout as delay } from 'node:timers/promises'
import { isAlive, listProcesses, type Process, withEnvironment } from './process-table.ts'

// Between looks. Short, because a loop waits for this at the end of every iteration.
const LOOK_EVERY_MS = 20
// After KILL only the kernel can be slow (a dead network disk); waiting longer would not help.
const AFTER_KILL_MS = 15_000

/**
 * Ends a process, its group, its descendants, and all that carry its mark in their environment: TERM, grace, KILL. Resolves when
 * nothing of them is left.
 *
 * TERM goes to the process and its group first, and to the others when these are gone or half of the grace is over. A client
 * whose hook dies before it hears of its own end takes that for an answer, and asks the model once more.
 */
export async function endProcesses(root: number | null, mark: string, graceMs: number): Promise<void> {
  const { first, others } = await belonging(root, mark)
  const known = new Set([...first, ...others])
  if (known.size === 0) return
  const startedAt = performance.now()
  send(first, 'SIGTERM')
  await waitUntilGone(first, startedAt + graceMs / 2)
  // Processes that were started meanwhile get TERM too, and have the rest of the grace.
  const later = await belonging(root, mark)
  for (const pid of [...later.first, ...later.others]) known.add(pid)
  const untold = [...known].filter(pid => !first.includes(pid))
  send(living(untold), 'SIGTERM')
  await waitUntilGone(known, startedAt + graceMs)
  const deadline = performance.now() + AFTER_KILL_MS
  // What was started meanwhile belongs to it too, and may start more while we look: so what is known is killed before
  // we look, and we look until there is nothing, twice (the last may have started another behind the first look).
  let empty = !send(living(known), 'SIGKILL')
  for (;;) {
    const { first, others } = await belonging(root, mark)
    for (const pid of [...first, ...others]) known.add(pid)
    const killed = send(living(known), 'SIGKILL')
    if ((!killed && empty) || performance.now() > deadline) return
    empty = !killed
    await delay(LOOK_EVERY_MS)
  }
}

/** `first`: the process and its group. Where the process is gone, there is nobody whom the others could mislead. */
async function belonging(root: number | null, mark: string): Promise<{ first: number[]; others: number[] }> {
  const marked = await withEnvironment(mark)
  if (root === null || !(isAlive(root) || isGroup(root))) return { first: [], others: marked }
  const processes = await listProcesses()
  const grouped = processes.filter(process => process.group === root).map(process => process.pid)
  const isOurs = (pid: number) => pid > 1 && pid !== process.pid
  const first = [root, ...grouped].filter(isOurs)
  const others = [...descendants(root, processes), ...marked].filter(pid => isOurs(pid) && !first.includes(pid))
  return { first: [...new Set(first)], others: [...new Set(others)] }
}

/** Whether anybody is in it. */
function isGroup(id: number): boolean {
  try {
    return process.kill(-id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function descendants(root: number, processes: Process[]): number[] {
  const found = processes.some(({ pid }) => pid === root) ? [root] : []
  for (let i = 0; i < found.length; i++) {
    for (const { pid, parent } of processes) if (parent === found[i] && !found.includes(pid)) found.push(pid)
  }
  return found
}

function send(pids: Iterable<number>, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  let any = false
  for (const pid of pids) {
    any = true
    try {
      process.kill(pid, signal)
    } catch {
      // It ended by itself in this moment, which is what was wanted.
    }
  }
  return any
}

async function waitUntilGone(pids: Iterable<number>, deadline: number): Promise<void> {
  while (living(pids).length > 0 && performance.now() < deadline) await delay(LOOK_EVERY_MS)
}

function living(pids: Iterable<number>): number[] {
  return [...pids].filter(isAlive)
}
