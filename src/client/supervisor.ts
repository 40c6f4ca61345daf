import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Starts the daemon again when it dies, because at night nobody types. A shell, because a second Node would cost 40 MB
 * for nothing. Exit codes 0 (stopped), 75 (another one serves) and 78 (cannot start) are not deaths.
 * The fifth death within ten minutes ends it with a notice: something is wrong that starting again does not mend.
 */
export const SUPERVISOR = `
home=$1
shift
deaths= wait=0
echo $$ >"$home/supervisor.pid"
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
[ "$(cat "$home/supervisor.pid" 2>/dev/null)" = $$ ] && rm -f "$home/supervisor.pid"
`

/** Ends a supervisor that waits to start the daemon again. One that is not ours by its arguments is left alone. */
export function endSupervisor(home: string): void {
  let pid: number
  let line: string
  try {
    pid = Number(readFileSync(join(home, 'supervisor.pid'), 'utf8'))
    line = process.platform === 'linux' ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : psOf(pid)
    if (line.includes('rehoboam-supervisor') && line.includes(home)) process.kill(pid, 'SIGTERM')
  } catch {
    return // It is gone, which is what was wanted.
  }
  rmSync(join(home, 'supervisor.pid'), { force: true })
}

function psOf(pid: number): string {
  return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' })
}
