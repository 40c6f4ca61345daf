import type { TempHome } from '../support/temp-home.ts'
import { linesOf, scriptClient } from './runs.ts'

/** A client that says that it has started, waits for a file, and ends well. It needs no key. */
export function waitingClient(home: TempHome): string {
  return scriptClient(
    home,
    'waiting-client',
    `echo "$REHOBOAM_RUN" >> started
     until [ -e "$REHOBOAM_RUN.go" ]; do sleep 0.05; done
     echo '{"type":"result","session_id":"s","subtype":"success","is_error":false,"result":"Done."}'`,
  )
}

/** The runs whose client has started, in this order. */
export function started(home: TempHome): string[] {
  return linesOf(home.project, 'started')
}
