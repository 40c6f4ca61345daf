import type { Requirement } from './requirement.ts'

const where = 'docs/architecture.md'

export const runtime: Requirement[] = [
  {
    id: 'fuzz-api',
    where,
    promise: 'Malformed requests by the ten thousand are each refused with a 4xx and a sentence.',
  },
  {
    id: 'fuzz-hooks',
    where,
    promise:
      'Hostile hook events are taken or refused with a sentence; nothing of them reaches a terminal unescaped, or a shell.',
  },
  {
    id: 'fuzz-memory',
    where,
    promise: 'Memory after 50,000 malformed requests is within a tenth of that after 10,000.',
    provenBy: 'both',
  },
  { id: 'fuzz-raw', where, promise: 'Connections full of garbage are refused or closed, and the daemon goes on.' },
  {
    id: 'fuzz-session-output',
    where,
    promise: 'A client that prints spoilt lines before its result does not disturb its run.',
  },
  { id: 'fuzz-stream', where, promise: 'No line, however spoilt, makes the stream parser fail or grow.' },
  { id: 'journal-damage', where, promise: 'Whatever is damaged, the good prefix of a journal is used.' },
  {
    id: 'journal-damage-behind',
    where,
    promise:
      'A line that was damaged after the snapshot was made takes nothing back: state, copy, and the lines behind it stay.',
  },
  {
    id: 'journal-disk',
    where,
    promise: 'Appends go behind what is there, cuts take back, and appends go on from the cut.',
  },
  {
    id: 'journal-empty',
    where,
    promise: 'An empty file is a run that never began: nothing is used and nothing is said.',
  },
  {
    id: 'journal-expected-seq',
    where,
    promise: 'An append with another expected number is refused and writes nothing.',
  },
  {
    id: 'journal-full-disk',
    where,
    promise: 'A full disk leaves no half line, and appends go on once there is space.',
  },
  { id: 'journal-newer', where, promise: 'A newer form is refused with a sentence, and its file is not touched.' },
  { id: 'journal-round-trip', where, promise: 'Any event is one line, and comes back from it as it was.' },
  {
    id: 'journal-said',
    where,
    promise: 'A damaged journal is said in the log, in the journal and by show, and the run goes on.',
  },
  { id: 'journal-set-aside', where, promise: 'What cannot be used of a journal is set aside byte for byte.' },
  {
    id: 'journal-snapshot',
    where,
    promise: 'A snapshot behind its journal is used, and only what comes after it is read.',
  },
  { id: 'journal-synced', where, promise: 'An append returns after its bytes are on the disk, and so does a cut.' },
  { id: 'journal-torn-line', where, promise: 'A torn last line is dropped and said.' },
  { id: 'journal-unreadable', where, promise: 'A journal of which nothing can be used is left as it is, and said.' },
  {
    id: 'run-of-session',
    where: 'docs/architecture.md',
    promise: 'The run of a session is found without a search, and a loop by the session of its latest iteration only.',
  },
  {
    id: 'runtime-effect-retried',
    where,
    promise: 'An effect that fails is tried again until its outcome is known, and the log says why.',
  },
  {
    id: 'runtime-follow',
    where,
    promise: 'Those who listen are told after each write, and get every event from any number on.',
  },
  {
    id: 'runtime-one-order',
    where,
    promise: 'Events of many at once come in one order, without a gap, each decided on what the one before it made.',
  },
  { id: 'runtime-outcome-kept', where, promise: 'An outcome that cannot be written is kept and posted until it is.' },
  {
    id: 'runtime-outcome-once',
    where,
    promise: 'The outcome of an effect counts once: a second one says nothing new.',
  },
  {
    id: 'runtime-replay',
    where,
    promise: 'A restart replays without performing, then performs exactly what has no outcome yet.',
  },
  { id: 'runtime-snapshot', where, promise: 'A full disk at the end costs a snapshot, never an event.' },
  { id: 'runtime-texts', where, promise: 'A text comes back as it was, and is kept once however often it is put.' },
  {
    id: 'runtime-timers',
    where,
    promise: 'Timers are set again after a restart, fire when they are due or as soon as they can, and once.',
  },
  { id: 'runtime-times-in-order', where, promise: 'A clock that was set back does not make times run backwards.' },
  { id: 'runtime-write-first', where, promise: 'An event is on the disk before anything is done about it.' },
  {
    id: 'secret-environment',
    where,
    promise: 'Secrets of the environment are in no file, list, log or command line, only with the session itself.',
  },
  {
    id: 'secret-mistakes',
    where,
    promise: 'Values that are wrong, in a body, a flag or a project file, are in no log, journal or list.',
  },
  {
    id: 'secret-search',
    where,
    promise: 'The search finds what it is to find: on a command line, in an environment, in a file and in a text.',
  },
  {
    id: 'secret-stderr',
    where,
    promise:
      'What a client says on stderr stays in a file of its turn; only the one who asks for the run sees its end.',
  },
  {
    id: 'secret-texts',
    where,
    promise: 'What people and agents say is in the files of its run and nowhere else, while it runs and after.',
  },
  {
    id: 'secret-token',
    where,
    promise: "A session's token is in its own environment and nowhere else, and the key that makes tokens in one file.",
  },
  { id: 'runtime-power-cut', where, promise: 'After a power cut what was acknowledged is there, and every run ends.' },
  {
    id: 'runtime-random-kill',
    where,
    promise: 'Daemons killed at any call of a port: every run ends, replay equals live, each effect has one result.',
  },
]
