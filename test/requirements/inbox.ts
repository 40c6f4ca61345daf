import type { Requirement } from './requirement.ts'

const where = 'docs/agents.md'
const hooksPage = 'docs/hooks.md'

export const inbox: Requirement[] = [
  {
    id: 'inbox-allow',
    where,
    promise:
      'A permission or question waits in the inbox and is allowed, denied with a reason for the agent, or answered by text or number.',
  },
  {
    id: 'inbox-run-asks',
    where,
    promise: 'A run whose question is open is said to ask, in lists and on its page, with what to type; not to work.',
  },
  {
    id: 'inbox-paused',
    where,
    promise:
      'A session or loop that is paused by what is around it asks in the inbox, with what to type, until it goes on or ends.',
  },
  {
    id: 'inbox-pane-answer',
    where,
    promise:
      'The pane’s own prompt stays usable. An answer given there closes its question, and where nobody can tell which one, none is closed.',
  },
  { id: 'inbox-first-wins', where, promise: 'Of two answers the first wins and the other is told so.' },
  {
    id: 'inbox-survives',
    where,
    promise: 'Open questions outlive the daemon with their age: none is denied, and all are answered after its return.',
  },
  {
    id: 'audit-read',
    where,
    promise:
      'The audit log has every decision that somebody can see. A question whose answer cannot be written is open again.',
  },
  {
    id: 'inbox-agent-refused',
    where,
    promise: 'What runs inside an agent, or descends from one, may not answer. The attempt is in the audit log.',
  },
  {
    id: 'hook-reports',
    where: hooksPage,
    promise: 'A hook reports its event whole and once, prints nothing and exits 0, whatever its input.',
  },
  {
    id: 'hook-no-http',
    where: hooksPage,
    promise:
      'With hooks.http off every hook of a session that we start is a command on the socket, and all is still seen.',
  },
  {
    id: 'hook-id-short',
    where: hooksPage,
    promise: 'Questions of the same minute differ in the part of the id that is shown.',
  },
  {
    id: 'hook-large',
    where: hooksPage,
    promise:
      'An event that is larger than the daemon reads arrives cut or is refused, and no rule decides about what was cut.',
  },
  {
    id: 'hook-large-screen',
    where: hooksPage,
    promise: 'A large event of a session that we start is taken in, and nothing of it stands in the session’s screen.',
    provenBy: 'test:all',
  },
  {
    id: 'hook-spool',
    where: hooksPage,
    promise:
      'With the daemon down, or too slow, hooks neither wait nor speak, and their events arrive in order and once.',
  },
  {
    id: 'hook-spool-real',
    where,
    promise:
      'With the daemon down, more than fifty hooks of a real session show nothing in its screen and arrive in order at the next start.',
    provenBy: 'test:all',
  },
  {
    id: 'hook-order',
    where: hooksPage,
    promise:
      'Hooks of a session count from when they were started: one that is late undoes nothing that began after it.',
  },
  {
    id: 'hook-script-passes',
    where: hooksPage,
    promise: 'A user’s own session is never held up: no headless script is, and nothing is while no daemon runs.',
  },
  {
    id: 'notice-once',
    where,
    promise:
      'A question and the end of a run are told once, by a signed POST, also across a restart. A mute is obeyed, and a failure costs a line in the log.',
  },
  {
    id: 'inbox-rules',
    where,
    promise:
      'A rule, typed or made by "always for this run", answers by itself and is named. Wrong rules and broken files allow nothing and are said.',
  },
  {
    id: 'inbox-bulk',
    where,
    promise: 'Several are answered at once, each with its own outcome; 300 can be read and answered.',
  },
  { id: 'inbox-whole-text', where, promise: 'What is asked is shown whole, on a narrow screen too.' },
  {
    id: 'bell-once',
    where,
    promise:
      'Who follows on a terminal hears one bell for each new question and sees in the title how many wait, unless that is switched off.',
  },
  { id: 'bell-wait', where, promise: 'Who waits for a run is told what it asks, with what to type.' },
]
