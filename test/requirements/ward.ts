import type { Requirement } from './requirement.ts'

const loopsPage = 'docs/loops.md'
const questsPage = 'docs/quests.md'

export const ward: Requirement[] = [
  {
    id: 'ward-found',
    where: questsPage,
    promise:
      'The ward is found in package.json’s scripts (by the lock file’s package manager, npm’s placeholder not counted), in Makefile targets, and by cargo, go and pytest.',
  },
  {
    id: 'ward-found-at-root',
    where: questsPage,
    promise: 'A project without checks of its own gets those of its git root, and they run there.',
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
    promise: 'A command is green, red, hung, or could not run (pytest’s 5, a missing tool), which is not red.',
  },
  {
    id: 'ward-all-commands',
    where: loopsPage,
    promise: 'All commands of a ward are run, unless the first red one is to end it.',
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
    promise: 'A hanging ward is ended by its time limit with everything that it started.',
  },
  {
    id: 'ward-leaves-nothing',
    where: loopsPage,
    promise: 'What a command leaves running is ended; its own code counts.',
  },
  { id: 'ward-cancel', where: loopsPage, promise: 'A ward can be cancelled, and nothing of it is left.' },
  {
    id: 'ward-again',
    where: loopsPage,
    promise: 'A red result is run once more and the second one counts; a flake is noted.',
  },
  { id: 'ward-done-again', where: loopsPage, promise: 'A ward found half-run by its key is ended and run again.' },
  {
    id: 'ward-checks',
    where: loopsPage,
    promise: 'A check is one ward command, and each named failure in its output; red counts before could-not-run.',
  },
  {
    id: 'ward-named',
    where: loopsPage,
    promise:
      'Checks that are not green are named in one line, the first five and how many more, with why one could not be run.',
  },
  {
    id: 'ward-old-reds',
    where: loopsPage,
    promise: 'An old red is one that failed before in the same way; whatever fails in another way is a new one.',
  },
  {
    id: 'ward-green-kept',
    where: loopsPage,
    promise: 'Green results are kept by (tree, commands, tool versions, lock file), bounded in number; others are not.',
  },
  {
    id: 'ward-tree',
    where: loopsPage,
    promise:
      'A tree that was green under the same circumstances is not warded again; one that cannot be set up is not warded.',
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
      'The first ward of a JavaScript workspace in a clean worktree runs the worktree’s own code, without a download.',
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
    id: 'setup-links',
    where: loopsPage,
    promise:
      'Dependencies are copied, never hard-linked; links into the checkout lead into the worktree, others where they led.',
  },
  {
    id: 'setup-reused',
    where: loopsPage,
    promise: 'A warm worktree is reused while the lock file is the same, and whole.',
  },
  {
    id: 'setup-hostile-tree',
    where: loopsPage,
    promise: 'No link in a worktree leads what we write or remove there to the user’s files.',
  },
  {
    id: 'setup-copies',
    where: loopsPage,
    promise: 'Configured files are copied when they exist: from inside the checkout, and never over what the tree has.',
  },
  {
    id: 'setup-command',
    where: loopsPage,
    promise: 'The configured setup command runs after the rest; its failure is said.',
  },
  {
    id: 'setup-environment',
    where: loopsPage,
    promise: 'Search paths that lead into the user’s checkout lead into the worktree in a ward.',
  },
]
