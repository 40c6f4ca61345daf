import type { Requirement } from './requirement.ts'

const where = 'docs/architecture.md'

export const runtime: Requirement[] = [
  {
    id: 'fuzz-api',
    where,
    promise:
      'Malformed requests and connections full of garbage are each refused with a 4xx and a sentence or closed, and the daemon goes on.',
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
  {
    id: 'fuzz-stream',
    where,
    promise: 'No line of output, however spoilt, makes the stream parser fail or grow, or disturbs its run.',
  },
  {
    id: 'journal-damage',
    where,
    promise:
      'Whatever is damaged, the good prefix of a journal is used, the rest is set aside byte for byte, and the run says so.',
  },
  {
    id: 'journal-newer',
    where,
    promise: 'A newer or an older form is refused with a sentence, and its file is not touched.',
  },
  {
    id: 'journal-recorded',
    where,
    promise: 'Real journals of every kind of run, as recorded, replay to what the daemon said about the run.',
  },
  {
    id: 'journal-snapshot',
    where,
    promise: 'A snapshot behind its journal is used, and losing one costs no event.',
  },
  {
    id: 'run-of-session',
    where: 'docs/architecture.md',
    promise: 'The run of a session is found without a search, and a loop by the session of its latest iteration only.',
  },
  {
    id: 'journal-synced',
    where,
    promise:
      'When an append returns, its events are on the disk as they were. When it is refused or the disk is full, nothing of it is there.',
  },
  {
    id: 'runtime-one-order',
    where,
    promise:
      'Events of many at once come in one order, without a gap and with times that do not run backwards, to everybody who listens.',
  },
  {
    id: 'runtime-replay',
    where,
    promise:
      'A restart replays without performing, then performs exactly what has no outcome yet. An outcome is kept until it is written, and counts once.',
  },
  { id: 'runtime-texts', where, promise: 'A text comes back as it was, and is kept once however often it is put.' },
  {
    id: 'runtime-timers',
    where,
    promise: 'Timers are set again after a restart, fire when they are due or as soon as they can, and once.',
  },
  { id: 'runtime-write-first', where, promise: 'An event is on the disk before anything is done about it.' },
  {
    id: 'secret-environment',
    where,
    promise:
      'Secrets, prompts and wrong values are in no log, list or command line, only with the session itself and in the files of its run.',
  },
  {
    id: 'secret-token',
    where,
    promise: "A session's token is in its own environment and nowhere else, and the key that makes tokens in one file.",
  },
  {
    id: 'runtime-random-kill',
    where,
    promise:
      'After kills at any call of a port, and power cuts, every run ends, replay equals live, and each effect has one result.',
  },
]
