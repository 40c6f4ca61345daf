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
case " $* " in *" -p "*) exec "${process.execPath}" "${puppet}" "$@" ;; esac
# In a pane. The puppet plays headless sessions only; one that waits for the hook of its end rests as a client does there.
before=
for word in "$@"; do
  shift
  if [ "$before" = --settings ]; then
    "${process.execPath}" -e '${RESTS}' "$word" >"$word.pane"
    word=$word.pane
  fi
  set -- "$@" "$word"
  before=$word
done
exec "${process.execPath}" "${puppet}" -p "$@"
`
}

const REST = { type: 'command', command: 'exec sleep 600', timeout: 86_400 }
const RESTS = `
const settings = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))
settings.hooks.SessionEnd = [{ hooks: [${JSON.stringify(REST)}] }]
console.log(JSON.stringify(settings))`

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

/** Of these, what sessions have started: clients, the shells around them, their tools. */
export function sessionProcesses(root: string): number[] {
  return ownProcesses(root).filter(pid => !isTmuxServer(pid) && isOwn(String(pid), `REHOBOAM_TURN=${root}/`))
}

export function isTmuxServer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('tmux: server')
  } catch {
    return false
  }
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
