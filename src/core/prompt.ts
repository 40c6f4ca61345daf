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
