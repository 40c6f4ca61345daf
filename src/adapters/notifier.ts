import { createHmac } from 'node:crypto'
import { execa } from 'execa'

/** Something that a person should know now, wherever they are. */
export type Notice = {
  id: string
  kind: string
  title: string
  text: string
  run: string | null
  agent: string | null
  at: string
}

/** The bell is rung by those who follow in a terminal; the others are told from here. */
export type Ways = { bell: boolean; desktop: boolean; webhook: { url: string; secret: string | null } | null }

// Too short: on a busy machine a notice is lost that would have arrived (bad). Too long: nobody waits for it (cheap).
const WITHIN_MS = 15_000

/** Tells by every way that is switched on; a way that fails is reported and never holds anything up. */
export async function notify(notice: Notice, ways: Ways, failed: (why: string) => void): Promise<void> {
  const told: Promise<unknown>[] = []
  if (ways.desktop) told.push(desktop(notice))
  if (ways.webhook) told.push(webhook(notice, ways.webhook))
  for (const result of await Promise.allSettled(told)) {
    if (result.status === 'rejected') failed(`a notice could not be delivered: ${(result.reason as Error).message}`)
  }
}

/** The texts are arguments of the program, never part of a script. */
function desktop({ title, text }: Notice): Promise<unknown> {
  const options = { timeout: WITHIN_MS, stdio: 'ignore' as const }
  if (process.platform !== 'darwin') return execa('notify-send', ['--app-name=rehoboam', '--', title, text], options)
  const script = 'on run {title, message}\ndisplay notification message with title title\nend run'
  return execa('osascript', ['-e', script, title, text], options)
}

/** One JSON POST. With a secret, its signature over the body tells the receiver that it is ours. */
async function webhook(notice: Notice, { url, secret }: { url: string; secret: string | null }): Promise<void> {
  const body = JSON.stringify(notice)
  const headers: Record<string, string> = { 'content-type': 'application/json', 'user-agent': 'rehoboam' }
  if (secret) headers['x-rehoboam-signature'] = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const answer = await fetch(url, {
    method: 'POST',
    body,
    headers,
    redirect: 'error',
    signal: AbortSignal.timeout(WITHIN_MS),
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`)
}
