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
  { id: 'core-cancelled-no-turn', where, promise: 'After a cancel no turn starts until somebody resumes.' },
  {
    id: 'core-client-refused',
    where,
    promise: 'A client that ends with a code before it said a word is not tried again.',
  },
  {
    id: 'core-cost-sum',
    where,
    promise: 'The cost of a result is what was spent since the one before it, not the session’s total.',
  },
  {
    id: 'core-cost-ended',
    where,
    promise: 'What a turn had spent when it was ended before its result is counted, and counted once.',
  },
  {
    id: 'core-crash-limit',
    where,
    promise: 'A session that is cut off is given up after its retries; a result in between counts them anew.',
  },
  {
    id: 'core-crash-resumed',
    where,
    promise: 'A session that was cut off goes on by itself after a growing wait, and is told what happened.',
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
  { id: 'core-end-once', where, promise: 'The end of a session is asked for once, however many reasons come.' },
  { id: 'core-ended-stays-ended', where, promise: 'An ended run stays ended, whatever happens, until it is resumed.' },
  { id: 'core-env-credentials', where, promise: 'No credential’s value is ever among what is written down.' },
  {
    id: 'core-env-dropped',
    where,
    promise: 'What names another session is dropped; everything else reaches the session.',
  },
  { id: 'core-env-kept', where, promise: 'Of what is on no list only the name is kept.' },
  {
    id: 'core-env-own-names',
    where,
    promise: 'The user’s own names are kept, unless they are required: then they are credentials.',
  },
  { id: 'core-first-turn', where, promise: 'A run is created with its first turn asked for and its clock set.' },
  {
    id: 'core-never-stuck',
    where,
    promise: 'An active run always waits for an outcome or a timer that will move it on.',
  },
  {
    id: 'core-nothing-left',
    where,
    promise: 'A run that is ended or paused waits for nothing but what its last session is still given.',
  },
  {
    id: 'core-one-session',
    where,
    promise: 'At most one session is asked for at a time, and none while one is pending.',
  },
  { id: 'core-pane-closed', where, promise: 'That its user closes is complete; one that was cut off goes on.' },
  { id: 'core-prompt-head', where, promise: 'A prompt begins with the line that names its run, role and attempt.' },
  {
    id: 'core-prompt-parts',
    where,
    promise: 'Our own words come first, then the texts in their order, an empty line between them.',
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
  { id: 'core-state-json', where, promise: 'Every state on the way survives JSON, and is what faces are shown.' },
  { id: 'core-state-sentence', where, promise: 'Every state has a sentence for a person.' },
  {
    id: 'core-state-table',
    where,
    promise: 'The table of what every event does in every state is the one that was agreed on.',
  },
  {
    id: 'core-told-next-turn',
    where,
    promise: 'Messages that wait are the next turn’s prompt, in order, and are given once.',
  },
  {
    id: 'core-told-pane',
    where,
    promise: 'Is told by typing, as long as it runs; else the text waits for its next turn.',
  },
  {
    id: 'home-socket',
    where,
    promise: 'The socket is in the state directory when its path fits, else at a short path of its user.',
  },
  { id: 'core-end-cause', where, promise: 'Every way in which a run ends has its status and its cause.' },
  { id: 'core-env-address-password', where, promise: 'An address that carries a password is not written down.' },
  {
    id: 'core-not-started',
    where,
    promise: 'A session that could not start leaves its run paused or failed, with the cause.',
  },
  { id: 'home-place', where, promise: 'The state directory is REHOBOAM_HOME, else the XDG state directory.' },
  { id: 'version-order', where, promise: 'Versions are ordered; what cannot be read is oldest.' },
  {
    id: 'core-told-not-lost',
    where,
    promise: 'A message that no session has heard is never lost, and one that was heard is not said twice.',
  },
]
