import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { STOPPED_MARK } from '../contract/registration.ts'

/**
 * Starts the daemon again when it dies, because at night nobody types. A shell, because a second Node would cost 40 MB
 * for nothing. Exit codes 0 (stopped), 75 (another one serves) and 78 (cannot start) are not deaths.
 * The fifth death within ten minutes ends it with a notice: something is wrong that starting again does not mend.
 */
export const SUPERVISOR = `
home=$1
shift
deaths= wait=0
while :; do
  "$@"
  code=$?
  case $code in 0 | 75 | 78) break ;; esac
  now=$(date +%s)
  recent=
  count=1
  for at in $deaths; do
    [ $((now - at)) -lt 600 ] && recent="$recent $at" && count=$((count + 1))
  done
  deaths="$recent $now"
  if [ "$count" -ge 5 ]; then
    echo "the daemon died 5 times within 10 minutes, last with code $code; rehoboam daemon logs says more" >"$home/notice"
    break
  fi
  [ "$count" -eq 1 ] && wait=0 || wait=$((wait * 2 + 1))
  sleep "$wait"
done
exit "$code"
`

// A daemon that is still starting ends at once. A daemon that serves needs longer to stop, but it leaves the mark itself.
const GONE_WITHIN_MS = 5_000

/**
 * Ends whoever would start the daemon again, also one that waits, and with it the daemon that it is just starting:
 * they share a process group, and sessions are not in it.
 */
export async function endSupervisor(home: string): Promise<void> {
  const pids = supervisorsOf(home)
  for (const pid of pids) {
    // The daemon may be dead already: then nobody else tells those who follow that this is meant.
    leaveStoppedMark(home)
    signalGroup(pid, 'SIGTERM')
    const deadline = performance.now() + GONE_WITHIN_MS
    while (isGroupAlive(pid) && performance.now() < deadline) await delay(20)
    // A daemon that was just starting may have taken the mark away before it ended. A supervisor that came meanwhile has
    // been started by somebody who wants a daemon.
    if (supervisorsOf(home).every(one => pids.includes(one))) leaveStoppedMark(home)
  }
}

function leaveStoppedMark(home: string): void {
  try {
    writeFileSync(join(home, STOPPED_MARK), '', { mode: 0o600 })
  } catch {
    // A full disk must not keep us from it; somebody who follows may then start the daemon again.
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** Does not count zombies: in a container whose first process collects nobody they stay. */
function isGroupAlive(group: number): boolean {
  if (process.platform !== 'linux' || !signalGroup(group, 0)) return signalGroup(group, 0)
  const stats = readdirSync('/proc').flatMap(name => (/^\d+$/.test(name) ? [procFile(name, 'stat')] : []))
  // After the name, which is in parentheses and may hold any character: state, parent, group.
  return stats.some(stat => new RegExp(`^\\d+ \\(.*\\) [^ZX] \\d+ ${group} `, 's').test(stat))
}

/** By their arguments: a file with a process id would name one of several, or one that is long gone. */
export function supervisorsOf(home: string): number[] {
  const processes = process.platform === 'linux' ? fromProc() : fromPs()
  return processes.filter(({ words }) => words.includes(` rehoboam-supervisor ${home} `)).map(({ pid }) => pid)
}

function fromProc(): { pid: number; words: string }[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.map(pid => ({ pid: Number(pid), words: procFile(pid, 'cmdline').replaceAll('\0', ' ') }))
}

function procFile(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

/** Where there is no /proc. The script among the arguments has lines of its own; none begins with a number. */
function fromPs(): { pid: number; words: string }[] {
  const text = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' })
  return text.split(/\n(?=\s*\d+ )/).map(words => ({ pid: Number.parseInt(words, 10), words }))
}
