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

// The daemon needs as long to stop in order. Then it is not one that was just starting, and nothing takes the mark away.
const GONE_WITHIN_MS = 5_000

/**
 * Ends whoever would start the daemon again, also one that waits, and with it the daemon that it is just starting:
 * they share a process group, and sessions are not in it.
 */
export async function endSupervisor(home: string): Promise<void> {
  for (const pid of supervisorsOf(home)) {
    // The daemon may be dead already: then nobody else tells those who follow that this is meant.
    leaveStoppedMark(home)
    if (!signalGroup(pid, 'SIGTERM')) continue
    const deadline = performance.now() + GONE_WITHIN_MS
    while (signalGroup(pid, 0) && performance.now() < deadline) await delay(20)
    // A daemon that was just starting may have taken the mark away before it ended.
    leaveStoppedMark(home)
  }
}

function leaveStoppedMark(home: string): void {
  try {
    writeFileSync(join(home, STOPPED_MARK), '', { mode: 0o600 })
  } catch {
    // A full disk must not keep us from it; somebody who follows may then start the daemon again.
  }
}

/** Returns whether any process of the group was there to get it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** By their arguments: a file with a process id would name one of several, or one that is long gone. */
export function supervisorsOf(home: string): number[] {
  const processes = process.platform === 'linux' ? fromProc() : fromPs()
  return processes.filter(({ words }) => words.includes(` rehoboam-supervisor ${home} `)).map(({ pid }) => pid)
}

function fromProc(): { pid: number; words: string }[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return pids.map(pid => ({ pid: Number(pid), words: commandLineOf(pid).replaceAll('\0', ' ') }))
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

/** Where there is no /proc. The script among the arguments has lines of its own; none begins with a number. */
function fromPs(): { pid: number; words: string }[] {
  const text = execFileSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' })
  return text.split(/\n(?=\s*\d+ )/).map(words => ({ pid: Number.parseInt(words, 10), words }))
}
