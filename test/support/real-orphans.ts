import { readdir, readFile } from 'node:fs/promises'
import { until } from './until.ts'

export type Process = { pid: number; command: string }

/** The processes that were started in this home, whatever group or session they have put themselves into. */
export async function processesOf(home: string): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async pid => {
      // A process that is gone, or is not ours, cannot be read; neither is of interest.
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')
      if (!environment.split('\0').includes(`HOME=${home}`)) return []
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return [{ pid: Number(pid), command: command.replaceAll('\0', ' ').trim() }]
    }),
  )
  return found.flat()
}

/**
 * Ends all of them, until none is left: one that is being killed may just have started another. The client gives each shell command a session of its own, so killing the client, or its whole
 * process group, leaves the command running for ever.
 */
export async function endOrphans(home: string): Promise<void> {
  await until(async () => {
    const left = await processesOf(home)
    for (const { pid } of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It ended by itself in between.
      }
    }
    return left.length === 0
  }, 'the processes of this home to be gone')
}
