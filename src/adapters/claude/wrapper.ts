/**
 * What really starts a client: a shell of a few lines around it.
 * - The claim is made with O_EXCL, so of two starts of one turn, by whomever, one runs. The client's own guard is
 *   not atomic.
 * - The exit code is written down, so that it is known even when nobody was there to see the end. Its line end is the
 *   sign that it is whole: a rename would be one more process between two sessions.
 * - TERM is let through to the client (a trap with a body is not inherited, an ignored signal would be).
 * - Its files are private. The client's are its user's: they get the umask that the daemon has.
 * All names come as arguments: nothing is ever part of the script's text.
 */
export const WRAPPER = `
claim=$1 prompt=$2 output=$3 errors=$4 exit=$5
shift 5
(umask 077; set -C; echo $$ >"$claim") 2>/dev/null || exit 97
trap : TERM INT HUP
"$@" <"$prompt" >>"$output" 2>>"$errors"
code=$?
umask 077
echo "$code" >"$exit"
`

/**
 * The same in a pane: the client has the screen, and the prompt, if there is one, comes through a pipe. A client whose pane is
 * taken away (its tmux server was killed) ends in good order, with 0, as one that its user leaves: the wrapper hears of it
 * too, and says 129 instead.
 */
export const PANE_WRAPPER = `
claim=$1 prompt=$2 exit=$3 hung=
shift 3
(umask 077; set -C; echo $$ >"$claim") 2>/dev/null || exit 97
trap : TERM INT
trap hung=1 HUP
if [ -s "$prompt" ]; then cat "$prompt" | "$@"; else "$@"; fi
code=$?
[ -z "$hung" ] || [ "$code" -ne 0 ] || code=129
umask 077
echo "$code" >"$exit"
`

export const TURN_FILES = {
  claim: 'claim',
  prompt: 'prompt.md',
  output: 'output.ndjson',
  errors: 'errors.log',
  exit: 'exit',
  settings: 'settings.json',
  tools: 'mcp.json',
} as const
