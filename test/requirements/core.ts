import type { Requirement } from './requirement.ts'

const where = 'docs/architecture.md'

export const core: Requirement[] = [
  {
    id: 'core-background',
    where,
    promise: 'A result starts the grace of background work anew; when none is left the grace is forgotten.',
  },
  {
    id: 'core-cancel-from-anywhere',
    where,
    promise: 'From every state a cancel ends the run as soon as its session is gone.',
  },
  { id: 'core-cancelled-no-turn', where, promise: 'After a cancel nothing starts until somebody resumes.' },
  {
    id: 'core-cost-sum',
    where,
    promise:
      'The cost of a turn is what was spent since the result before it, and is counted once, also when the turn is ended before its result.',
  },
  {
    id: 'core-crash-resumed',
    where,
    promise:
      'A session that was cut off goes on by itself after a growing wait, is told what happened, and is given up after its retries.',
  },
  {
    id: 'core-crash-retold',
    where,
    promise:
      'A session that is killed before its first answer and has to begin again is given every message again that earlier turns were given.',
  },
  {
    id: 'core-error-codes',
    where,
    promise: 'Each error code is thrown somewhere, and a code of another version reaches the user as it was sent.',
  },
  { id: 'core-effect-keys', where, promise: 'Each effect has a key that no other has.' },
  { id: 'core-ended-stays-ended', where, promise: 'An ended run stays ended, whatever happens, until it is resumed.' },
  {
    id: 'core-env-credentials',
    where,
    promise: 'No credential’s value is ever among what is written down, nor an address that carries a password.',
  },
  {
    id: 'core-env-dropped',
    where,
    promise:
      'What names another session is dropped. Everything else reaches the session, and of what is on no list only the name is kept.',
  },
  { id: 'core-first-turn', where, promise: 'A run is created with its first turn asked for and its clock set.' },
  {
    id: 'core-never-stuck',
    where,
    promise:
      'An active run always waits for an outcome or a timer that will move it on. An ended or paused run waits for nothing else than its last session.',
  },
  { id: 'core-never-hangs', where, promise: 'An active run always waits for something that will come.' },
  {
    id: 'core-one-session',
    where,
    promise: 'At most one session is asked for at a time, and its end is asked for once.',
  },
  { id: 'core-pane-closed', where, promise: 'That its user closes is complete; one that was cut off goes on.' },
  {
    id: 'core-prompt-head',
    where,
    promise:
      'A prompt begins with the line that names its run, role and attempt. Then come our words and the texts in their order.',
  },
  { id: 'core-replay-equals-live', where, promise: 'Replay equals live, from the first event and from any snapshot.' },
  { id: 'core-report', where, promise: 'Whatever a line holds, what it means fits the journal.' },
  { id: 'core-resume', where, promise: 'A resumed run goes on with its session, with counters and limits anew.' },
  {
    id: 'core-stale-outcome',
    where,
    promise: 'An outcome that comes a second time, or that nobody asked for, is stale.',
  },
  { id: 'core-state-bounded', where, promise: 'State does not grow with the age of a run.' },
  {
    id: 'core-state-json',
    where,
    promise:
      'Every state of a run survives JSON and has a sentence for a person, and the table of events and states is the one that was agreed on.',
  },
  {
    id: 'core-told-next-turn',
    where,
    promise:
      'Messages are typed into a running pane or become the next turn’s prompt, in order. None is lost and none is given twice.',
  },
  {
    id: 'home-socket',
    where,
    promise: 'The socket is in the state directory when its path fits, otherwise at a short path of its user.',
  },
  {
    id: 'core-end-cause',
    where,
    promise: 'Every way in which a run ends, or a session cannot start, has its status and its cause.',
  },
  { id: 'home-place', where, promise: 'The state directory is REHOBOAM_HOME, else the XDG state directory.' },
]
