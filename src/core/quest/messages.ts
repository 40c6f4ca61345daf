import type { RunEventOf } from '../../contract/event.ts'
import type { TextRef } from '../../contract/ids.ts'
import type { Effect } from '../effect.ts'
import type { Decision } from '../machine.ts'
import { WAITING_KEPT } from '../session/state.ts'
import { tell } from './moves.ts'
import { childName, isThere, messagesAfter, type QuestRun, sessionNumbered, withSession } from './state.ts'

/**
 * What people say to a quest is for everybody: a session that is there is told at once, in its pane or with its next prompt; every
 * session that begins later reads all of it, and one that is resumed what came since it was last there.
 */
export function told(before: QuestRun, text: TextRef): Decision<QuestRun> {
  return { state: withMessage(before, text), effects: tell(before, 'tell', { text }) }
}

/** Those who are there hear it, by whatever tells them. */
export function withMessage(before: QuestRun, text: TextRef): QuestRun {
  const to = before.told + 1
  const sessions = before.sessions.map(session => (isThere(session) ? { ...session, heard: to } : session))
  return { ...before, told: to, waiting: [...before.waiting, text].slice(-WAITING_KEPT), sessions }
}

/** A session that was being made while people spoke hears that now. */
export function roleStarted(before: QuestRun, { n, session: id }: RunEventOf<'role-started'>): Decision<QuestRun> {
  const missed = messagesAfter(before, sessionNumbered(before, n)?.heard ?? before.told)
  const effects = missed.map((text): Effect => ({ do: 'tell-children', what: 'tell', children: [childName(n)], text }))
  return { state: withSession(before, n, { id, heard: before.told }), effects }
}

/** Messages that nobody has heard yet. */
export function unheardMessages(state: QuestRun): number {
  const heard = state.sessions.reduce((most, session) => Math.max(most, session.heard), 0)
  return Math.min(state.waiting.length, state.told - heard)
}
