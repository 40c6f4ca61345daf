import { CAUSES, ENDED_STATUSES } from '../contract/causes.ts'
import type { Stamped } from '../contract/event.ts'
import { costWords, numberOf } from './words.ts'

/** Which session of a quest an event is about; null for those about none. */
export function sessionIn(event: Stamped): number | null {
  switch (event.type) {
    case 'role-started':
    case 'role-changed':
    case 'role-not-started':
    case 'role-ended':
    case 'signalled':
      return event.n
    default:
      return null
  }
}

/** A quest's own events, a line each; undefined for what it has in common with other runs. `who`: role and step. */
export function questWords(event: Stamped, who: string): string | null | undefined {
  switch (event.type) {
    case 'quest-opened':
      return null
    case 'quest-not-opened':
      return `could not start: ${CAUSES[event.cause]}`
    case 'role-started':
      return `${who}: begins`
    case 'role-changed':
      // That it has ended is said when what it left is in.
      return event.status === 'active' || ENDED_STATUSES.some(ended => ended === event.status)
        ? null
        : `${who}: ${event.status}${event.cause ? `: ${CAUSES[event.cause]}` : ''}`
    case 'role-not-started':
      return `${who}: ${CAUSES[event.cause]}`
    case 'role-ended':
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
    case 'step-warded': {
      const { result, failing, tampered } = event.outcome
      const how = { green: 'green', red: `red: ${failing.length}`, 'could-not-run': 'not to be run' }[result]
      const on = event.step === null ? 'what was there before' : event.step
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
