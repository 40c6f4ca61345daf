import { rootOf } from '../contract/ids.ts'

/** The line by which transcripts, logs and rehearsals tell sessions apart. */
export function promptHead(run: string, label: Label, attempt: number): string {
  if (label.step !== undefined) {
    return `[rehoboam run=${rootOf(run)} role=${label.role} step=${label.step} attempt=${(label.before ?? 0) + attempt}]`
  }
  const task = label.task === undefined ? '' : ` task=${label.task}`
  const place = label.iteration === null ? '' : ` iteration=${label.iteration}`
  return `[rehoboam run=${run} role=${label.role}${task}${place} attempt=${attempt}]`
}

/** What a session is for. `before`: turns of its role on its step before it began. */
export type Label = { role: string; iteration: number | null; task?: string; step?: string; before?: number }

/** Returns the whole prompt. One that begins with `/` carries note and line last, so that the client still expands its command. */
export function composePrompt(head: string, note: string | null, texts: string[]): string {
  const isCommand = texts[0]?.startsWith('/') === true
  const notes = note ? [note] : []
  const body = (isCommand ? [...texts, ...notes] : [...notes, ...texts]).join('\n\n')
  // Nothing to say: the session waits for its user.
  if (body === '') return ''
  return isCommand ? `${body}\n${head}` : `${head}\n${body}`
}

export const CUT_OFF_NOTE =
  'You were cut off in the middle of your work, and a tool that was running then is missing from this history. Look at the state of the project first (files, git status), then go on from there.'

/** The client was killed before it wrote anything of the conversation down, so the session starts from the beginning. */
export const LOST_NOTE =
  'Work on this task was begun and cut off before anything of the conversation was kept. Look at the state of the project first (files, git status), then go on from there.'

export const UNSIGNALLED_NOTE =
  'You ended your turn without calling signal-back, so nobody knows whether your work is done. Look at the state of your work first (files, git status), finish what is left, and then call signal-back.'

export const STUCK_NOTE =
  'You had said and done nothing for a long time, so you were ended; a tool that was running then is missing from this history. Look at the state of the project first (files, git status), then go on from there, another way if something hung.'

export const LIMIT_NOTE = 'You were stopped by a limit of the account, which is over now. Go on where you were.'

/** For a session that a person opens in a pane and that was doing nothing. */
export const NO_NOTE = ''

export const TAKEN_OVER_NOTE =
  'This session was moved into a terminal in the middle of its work, and a tool that was running then is missing from this history. A person may be watching. Look at the state of the project first (files, git status), then go on from there.'

export const RESUMED_NOTE =
  'This run was stopped and is now resumed. Look at the state of the project first, then go on.'
