import { homeOf, socketOf } from '../../contract/home.ts'
import { ask } from './ask-daemon.ts'
import { eventId } from './event-id.ts'
import { fitting } from './fitting.ts'
import { surroundings } from './hook-surroundings.ts'
import { standardInput } from './standard-input.ts'
import { spool } from './write-spool.ts'

/**
 * `rehoboam hook`: one event of a client, from its standard input to the daemon. Resolves with what is to be printed:
 * an answer, mostly none. It never fails, keeps the client waiting only where a person's answer is wanted, and must
 * load almost nothing.
 */

// The client must never feel that we are there.
const PASS_WITHIN_MS = 450
const A_DAY_MS = 86_400_000
const AN_HOUR_MS = 3_600_000

export async function hook(env: NodeJS.ProcessEnv, argv: string[]): Promise<string> {
  const event = parsed(await standardInput())
  if (!event) return ''
  // Our own sessions report by hooks of their own: one that a project's file adds would say everything twice.
  if (argv.includes('--from') && env.REHOBOAM_TOKEN?.startsWith(`${event.session_id}.`)) return ''
  const home = homeOf(env)
  const socket = socketOf(home, env, process.getuid?.() ?? 0)
  const id = eventId()
  const isOurs = env.REHOBOAM_RUN !== undefined
  const isHeld = argv.includes('--hold') && wantsAnswer(event) && (isOurs || !isHeadless(env))
  // When the client started us: how long it took since then says nothing about what happened first.
  const at = Math.round(performance.timeOrigin)
  const body = fitting({ id, at, isHeld, where: surroundings(env) }, event)
  if (!isHeld) {
    if ((await ask(socket, body, PASS_WITHIN_MS)) === null) spool(home, body)
    return ''
  }
  const deadline = Date.now() + (isOurs ? A_DAY_MS : AN_HOUR_MS)
  const first = await ask(socket, body, deadline - Date.now())
  // A person sits at their own session: with no daemon they are asked there, as ever.
  if (first === null && !isOurs) {
    spool(home, body)
    return ''
  }
  const answer = first ?? (await askAgain(socket, body, deadline))
  // Empty: it was answered in the session's own pane. A word of ours would come second, and could only do harm.
  return answer ?? expired()
}

// The daemon is started again within a second; asking more often would only burn the battery.
const AGAIN_AFTER_MS = 300

/** The daemon has died or is being replaced. Whoever serves next is asked the same question under the same id. */
async function askAgain(socket: string, body: string, deadline: number): Promise<string | null> {
  while (Date.now() < deadline) {
    await new Promise(resolve => setTimeout(resolve, AGAIN_AFTER_MS))
    const answer = await ask(socket, body, deadline - Date.now())
    if (answer !== null) return answer
  }
  return null
}

type Payload = { session_id?: unknown; hook_event_name?: unknown }

function wantsAnswer(event: Payload): boolean {
  return event.hook_event_name === 'PermissionRequest'
}

/** A script of the user's own must not hang for a person who is not there. */
function isHeadless(env: NodeJS.ProcessEnv): boolean {
  return env.CLAUDE_CODE_ENTRYPOINT?.startsWith('sdk') === true
}

function expired(): string {
  const decision = { behavior: 'deny', message: 'nobody answered this within 24 hours' }
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })
}

function parsed(text: string): Payload | null {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
