import type { Requirement } from './requirement.ts'

const where = 'docs/loops.md'

/** A loop among people, agents and machines that do as they like. */
export const loopLife: Requirement[] = [
  {
    id: 'loop-state-table',
    where: 'docs/loops.md',
    promise: 'What every event does in every reachable state of a loop is the table that was agreed on.',
  },
  {
    id: 'loop-states-drawn',
    where: 'docs/loops.md',
    promise: 'The documented states of a loop are those that the machine goes through.',
  },
  {
    id: 'loop-late-session',
    where: 'docs/loops.md',
    promise: 'What comes late from a stopped session neither moves a resting loop nor asks its question again.',
  },
  {
    id: 'loop-odd-project',
    where,
    promise:
      'A loop works in odd places (names, unborn or detached HEAD, submodule) and leaves a dirty tree as it was.',
    provenBy: 'both',
  },
  {
    id: 'loop-without-git',
    where,
    promise: 'Without git: no checkpoints, said once; the ward in place; never proven.',
  },
  {
    id: 'loop-git-busy',
    where,
    promise: 'A repository in the middle of a rebase is refused with a clear sentence, and nothing is made.',
  },
  {
    id: 'loop-anchor',
    where,
    promise: 'A changed anchor is restored, kept aside and a lesson; the third change in a run is a breaker.',
  },
  {
    id: 'loop-directory-restored',
    where,
    promise:
      'What an agent took away or forged of the loop directory is restored, and nothing is written through a link in its place.',
  },
  {
    id: 'loop-log-end',
    where,
    promise:
      'The last line of the history says how the run ended, also when it ended while the files were written. It is written when the other files have the end.',
  },
  {
    id: 'loop-project-missing',
    where,
    promise: 'A missing project pauses its run, nothing is made where it was, and resume goes on when it is back.',
  },
  {
    id: 'loop-directory-taken',
    where,
    promise:
      'A loop directory serves one live run: a second is refused by name, a later one archives the ended one’s files.',
  },
  {
    id: 'loop-not-the-end',
    where,
    promise: 'What must not end a loop does not: the stop word elsewhere, and the end of anybody else.',
  },
  {
    id: 'loop-left-running',
    where,
    promise: 'Neither an idle teammate nor a dev server that was left running keeps an iteration from ending.',
    provenBy: 'both',
  },
  {
    id: 'session-stuck',
    where: 'docs/quests.md',
    promise: 'A session without output or hook for a long time is ended, resumed once, and then a question.',
  },
  {
    id: 'loop-takeover',
    where,
    promise: 'A person who types into a loop’s pane takes it over: the run pauses until resume, and nothing is ended.',
    provenBy: 'both',
  },
  {
    id: 'loop-crash',
    where: 'docs/quests.md',
    promise: 'A client that is killed in an iteration goes on in the same one with the same session.',
  },
  {
    id: 'loop-pane-budget',
    where: 'docs/quests.md',
    promise: 'Panes are watched through their transcripts: one that has spent all is ended as over-budget.',
  },
  {
    id: 'loop-limit',
    where,
    promise:
      'A limit of the account is waited for until its reset, then the loop goes on by itself; it is no iteration.',
    provenBy: 'both',
  },
  {
    id: 'loop-outage',
    where,
    promise:
      'A model that cannot be reached, is down or overloaded is no iteration: the loop waits, ever longer, says until when, and tries again with a fresh session that hears what people said; after an hour it asks.',
  },
  {
    id: 'loop-logged-out',
    where,
    promise: 'A loop whose client is not logged in fails in its first iteration, and says what to type.',
  },
  {
    id: 'loop-exit-codes',
    where,
    promise: 'Waiting for a loop ends with the code of how it stands.',
  },
  {
    id: 'loop-interrupted',
    where,
    promise: 'Pause, resume, reject and cancel work in the middle of an iteration.',
  },
]
