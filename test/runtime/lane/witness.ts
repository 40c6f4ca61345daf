import { readdirSync, readFileSync } from 'node:fs'

/**
 * The client as sessions of the lane start it: the puppet, holding a lock of its session for exactly as long as it
 * lives, however it ends. Who does not get the lock has met a second process of the same session, and says so.
 */
export function clientShim(locks: string, complaints: string, puppet: string): string {
  return `#!/bin/sh
session=
before=
for word in "$@"; do
  case $before in --session-id | --resume) session=$word ;; esac
  before=$word
done
exec 9>>"${locks}/$session"
flock -n 9 || echo "$session $*" >>"${complaints}"
# Sessions of one run come one after the other.
exec 8>>"${locks}/run-$REHOBOAM_RUN"
flock -n 8 || echo "$REHOBOAM_RUN $*" >>"${complaints}"
# Some runs bring no key along, so that nothing of theirs is lost with the daemon.
export ANTHROPIC_API_KEY="\${ANTHROPIC_API_KEY:-rehearsal}" CLAUDE_CODE_MAX_RETRIES=1 IS_SANDBOX=1
exec "${process.execPath}" "${puppet}" "$@"
`
}

/** How a session's tool may end: as it should, killing the client, the client and the shell around it, leaving litter. */
export type Fate = 'well' | 'client-dies' | 'both-die' | 'litter'

/** The tool that every turn runs: it leaves one line, and then does what fate has for this attempt. */
export function workScript(deeds: string, fates: Fate[]): string {
  const cases = fates.map((fate, n) => `${n + 1}) ${FATES[fate]} ;;`)
  return `echo "$1 $2" >>"${deeds}"
case $2 in
${cases.join('\n')}
*) : ;;
esac
`
}

// $PPID is the client, because the tool's shell reads this file itself; its parent is our wrapper.
const WRAPPER_DIES = 'read -r _ _ _ parent _ </proc/$PPID/stat; kill -9 "$parent"'
export const FATES: Record<Fate, string> = {
  well: ':',
  'client-dies': 'kill -9 $PPID; sleep 20',
  'both-die': `${WRAPPER_DIES}; kill -9 $PPID; sleep 20`,
  litter: 'setsid sleep 600 >/dev/null 2>&1 & :',
}

/** Processes that carry the directory in their arguments or their environment. */
export function ownProcesses(root: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid && isOwn(name, `${root}/`))
    .map(Number)
}

function isOwn(pid: string, mark: string): boolean {
  try {
    if (/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) return false
    const text = readFileSync(`/proc/${pid}/cmdline`, 'latin1') + readFileSync(`/proc/${pid}/environ`, 'latin1')
    return text.includes(mark)
  } catch {
    return false
  }
}
