import type { RunEventOf, Stamped } from '../../contract/event.ts'
import type { Decision } from '../machine.ts'
import { after, tell } from '../parent/parent-moves.ts'
import { liveOf, type Message } from '../parent/parent-state.ts'
import { WAITING_KEPT } from '../session/session-state.ts'
import {
  messagesAfter,
  newestMessage,
  type QuestRun,
  type QuestSession,
  sessionNamed,
  withSession,
} from './quest-state.ts'

/**
 * What people say to a quest is for everybody: a session that is there is told at once, in its pane or with its next prompt; every
 * session that begins later reads all of it, and one that is resumed what came since it was last there.
 */
export function told(before: QuestRun, { text, seq }: Stamped<RunEventOf<'told'>>): Decision<QuestRun> {
  const message = { text, of: seq }
  return {
    state: withMessage(before, message),
    effects: tell(before, 'tell', { children: listeners(before), message }),
  }
}

/** Those who are there hear it, by whatever tells them. */
export function withMessage(before: QuestRun, message: Message): QuestRun {
  const children = before.children.map(one => (one.isLive && one.isMade ? { ...one, heard: message.of } : one))
  return { ...before, waiting: [...before.waiting, message].slice(-WAITING_KEPT), children }
}

function listeners(state: QuestRun): QuestSession[] {
  return liveOf(state).filter(({ isMade }) => isMade)
}

/** A session that was being made while people spoke hears that now. */
export function sessionStarted(before: QuestRun, event: RunEventOf<'child-started'>): Decision<QuestRun> {
  const session = sessionNamed(before, event.child)
  const heard = newestMessage(before)
  const state = withSession(before, session.n, { id: event.session, isMade: true, heard })
  return messagesAfter(before, session.heard).reduce<Decision<QuestRun>>(
    (so, message) => after(so, now => ({ state: now, effects: tell(now, 'tell', { children: [session], message }) })),
    { state },
  )
}

/** Messages that nobody has heard yet. */
export function unheardMessages(state: QuestRun): number {
  return messagesAfter(state, Math.max(0, ...state.children.map(({ heard }) => heard))).length
}
