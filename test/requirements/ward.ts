import type { Requirement } from './requirement.ts'

const loopsPage = 'docs/loops.md'
const questsPage = 'docs/quests.md'

export const ward: Requirement[] = [
  {
    id: 'ward-found',
    where: questsPage,
    promise:
      'The ward is found in package.json’s scripts, in Makefile targets, and by cargo, go and pytest, of the project or of its git root.',
  },
  {
    id: 'ward-commands-hash',
    where: loopsPage,
    promise: 'What is agreed to is the hash of the resolved commands, and of nothing else.',
  },
  {
    id: 'ward-blank',
    where: loopsPage,
    promise:
      'A check that is blank or only a comment, wherever it comes from, is refused or not counted: it proves nothing.',
  },
  {
    id: 'ward-hostile-files',
    where: loopsPage,
    promise:
      'No name and no text of a file becomes a part of a command, and no file is waited for or read without end.',
  },
  {
    id: 'ward-results',
    where: loopsPage,
    promise:
      'Every command of a ward is green, red, hung, or could not run. Each failure that its output names is a check, and an old red is told from a new one.',
  },
  {
    id: 'ward-alone',
    where: loopsPage,
    promise: 'Wards run with CI=1, stdin closed, no terminal, and no session’s identity.',
  },
  {
    id: 'ward-output',
    where: loopsPage,
    promise:
      'What a command prints is kept in its order in a file of its owner, bounded, with its beginning and its end.',
  },
  {
    id: 'ward-hangs',
    where: loopsPage,
    promise: 'A ward that hangs, is cancelled or was cut off is ended with everything that it started.',
  },
  {
    id: 'ward-again',
    where: loopsPage,
    promise: 'A red result is run once more and the second one counts; a flake is noted.',
  },
  {
    id: 'ward-tree',
    where: loopsPage,
    promise: 'A tree that was green under the same circumstances is not warded again, and only green results are kept.',
  },
  {
    id: 'ward-tampered',
    where: loopsPage,
    promise: 'It is found when the ward’s own definition changed since the base, or tests were deleted or skipped.',
  },
  {
    id: 'ward-only-looked-at',
    where: loopsPage,
    promise:
      'A file that a check only looks at (`test -s`, `grep`, `diff`) is the work, and no part of the ward’s definition.',
  },
  {
    id: 'ward-tampered-not',
    where: loopsPage,
    promise: 'New tests, tests that moved or have another name, and other dependencies are not called tampering.',
  },
  {
    id: 'setup-node',
    where: loopsPage,
    promise:
      'The ward of a JavaScript workspace in a clean worktree runs the worktree’s own code, with copied dependencies, without a download.',
  },
  {
    id: 'setup-python',
    where: loopsPage,
    promise:
      'The first ward of a Python project with an editable install runs the worktree’s own code in a new environment, without a download.',
  },
  {
    id: 'setup-checkout-untouched',
    where: loopsPage,
    promise: 'Setting up a worktree and warding in it changes not one byte of the user’s checkout.',
  },
  {
    id: 'setup-hostile-tree',
    where: loopsPage,
    promise: 'No link in a worktree leads what we write or remove there to the user’s files.',
  },
  {
    id: 'setup-copies',
    where: loopsPage,
    promise:
      'Configured files are copied into a worktree, never over what the tree has, and the configured command runs after that.',
  },
]
