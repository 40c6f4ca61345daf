import { CAUSES, ENDED_STATUSES } from '../contract/causes.ts'
import type { Stamped } from '../contract/event.ts'
import { costWords, numberOf } from './words.ts'

/** Which session of a quest an event is about, by its name; null when it is about none. */
export function sessionIn(event: Stamped): string | null {
  switch (event.type) {
    case 'child-started':
    case 'child-changed':
    case 'child-not-started':
    case 'child-ended':
      return event.child
    case 'signalled':
      return `s${event.n}`
    default:
      return null
  }
}

/** A quest's own events, a line each; undefined for what it has in common with other runs. `who`: role and step. */
export function questWords(event: Stamped, who: string): string | null | undefined {
  switch (event.type) {
    case 'child-started':
      return `${who}: begins`
    case 'child-changed':
      // That it has ended is said when what it left is in.
      return event.status === 'active' || ENDED_STATUSES.some(ended => ended === event.status)
        ? null
        : `${who}: ${event.status}${event.cause ? `: ${CAUSES[event.cause]}` : ''}`
    case 'child-not-started':
      return `${who}: ${CAUSES[event.cause]}`
    case 'child-ended':
      return `${who}: its session has ended, ${costWords(event.outcome.costUsd)}`
    case 'signalled': {
      const target = event.target === null ? '' : ` by ${event.target}${event.resume ? ', and goes on then' : ''}`
      return `${who}: signals ${event.signal}${target}`
    }
    case 'requirements-set':
      return `${numberOf(event.ids.length, 'requirement')}: ${event.ids.join(', ')}`
    case 'steps-set': {
      const ids = event.steps.map(({ id }) => id).join(', ')
      return [ids && `planned: ${ids}`, event.drop.length ? `dropped: ${event.drop.join(', ')}` : '']
        .filter(Boolean)
        .join('; ')
    }
    case 'warded': {
      const { result, failing, tampered } = event.outcome
      const how = { green: 'green', red: `red: ${failing.length}`, 'could-not-run': 'not to be run' }[result]
      const on = event.step ?? 'what was there before'
      return `${on}: the checks are ${how}${tampered ? ', but they were changed: no proof' : ''}`
    }
    case 'step-retried':
      return `${event.step}: is tried again`
    case 'step-skipped':
      return `${event.step}: is left out, with what depends on it`
    default:
      return undefined
  }
}
