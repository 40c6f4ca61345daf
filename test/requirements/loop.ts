import type { Requirement } from './requirement.ts'

const where = 'docs/loops.md'

export const loop: Requirement[] = [
  {
    id: 'loop-judge-set',
    where,
    promise:
      'Over the labelled set the heuristic has no false complete, finds 80% of the true ones, and has under 2% false stalled.',
  },
  {
    id: 'loop-judge-negations',
    where,
    promise:
      'No true claim that is negated, conditioned, put off, halved, doubted, quoted or shown is judged complete.',
  },
  {
    id: 'loop-judge-reason',
    where,
    promise: 'A verdict names the sentence that decided, bounded.',
  },
  {
    id: 'loop-judge-hostile',
    where,
    promise: 'Whatever an agent writes, the heuristic answers with bounded work; what is too long is continue.',
  },
  {
    id: 'loop-stop-word',
    where,
    promise: 'The stop word alone on a line, or as a promise, is a claim.',
  },
  {
    id: 'loop-stop-word-shown',
    where,
    promise: 'The stop word in code, headings, quotes, instructions, other words or old progress is no claim.',
  },
  {
    id: 'loop-progress-gained',
    where,
    promise: 'Only what progress.md gained in an iteration counts, also when the file was rewritten.',
  },
  {
    id: 'loop-same-end',
    where,
    promise: 'Two ends that differ in digits, times, capitals and white space only are the same end.',
  },
  {
    id: 'loop-red-lesson',
    where,
    promise: 'A check that is red for the third time in a run is a lesson for later iterations.',
  },
  {
    id: 'loop-error-key',
    where,
    promise: 'Errors that differ in digits, paths, hashes and ids only have one key; others have their own.',
  },
  {
    id: 'loop-criteria',
    where,
    promise: "The anchor's boxes outside code are the criteria C1, C2, ...; without any the whole text is C1.",
  },
  {
    id: 'loop-texts-bounded',
    where,
    promise: 'Reading what agents and programs wrote never throws, and its results are bounded.',
  },
  {
    id: 'loop-check-names',
    where,
    promise:
      'Failures in TAP, JUnit, vitest, jest, pytest, go, cargo, tsc, biome and eslint output are named, the same from run to run.',
  },
  {
    id: 'loop-check-bounded',
    where,
    promise: 'Whatever a ward prints, reading it never throws, ends, and finds at most 200 bounded failures.',
  },
]
