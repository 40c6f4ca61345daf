import type { Requirement } from './requirement.ts'

const architecturePage = 'docs/architecture.md'
const contributingPage = 'CONTRIBUTING.md'

export const house: Requirement[] = [
  {
    id: 'architecture-directions',
    where: architecturePage,
    promise: 'Imports between the rooms of src point one way; only cli loads daemon, tui and rehearsal, by import().',
  },
  {
    id: 'architecture-floors',
    where: architecturePage,
    promise:
      'Inside core and daemon, a folder imports from the floors below its own, so there are no cycles of folders.',
  },
  {
    id: 'architecture-floors-drawn',
    where: architecturePage,
    promise: 'docs/architecture.md shows the floors that the import test holds.',
  },
  {
    id: 'architecture-imports-exist',
    where: architecturePage,
    promise: 'Every import names a file that exists, and src imports nothing by a computed name.',
  },
  {
    id: 'architecture-browser-safe',
    where: architecturePage,
    promise: "contract, config, core, view and web use neither node: modules nor Node's globals.",
  },
  {
    id: 'architecture-core-pure',
    where: architecturePage,
    promise: 'core has no time, no chance, no async, no input or output, and keeps nothing between events.',
  },
  {
    id: 'architecture-dependencies',
    where: architecturePage,
    promise:
      'Only packages on the list are imported, each by the rooms that may, and each is a development dependency.',
  },
  { id: 'architecture-file-size', where: contributingPage, promise: 'No file of src or test has more than 400 lines.' },
  {
    id: 'architecture-file-names',
    where: contributingPage,
    promise:
      'File names are kebab-case, none is called utils, helpers, common, manager, service or types, and no two files of src share one.',
  },
  {
    id: 'architecture-papers-true',
    where: contributingPage,
    promise: 'Every path of this repository that README, CONTRIBUTING, CONTEXT or docs name exists.',
  },
  {
    id: 'architecture-any-machine',
    where: contributingPage,
    promise: 'No tracked file holds a path of one machine or the host name of a package registry.',
  },
  {
    id: 'architecture-rules-bite',
    where: architecturePage,
    promise: 'Every rule of the house finds a source made to break it, and none of those that only look alike.',
  },
  {
    id: 'gate-promise-tested',
    where: contributingPage,
    promise: 'A full run fails when a promise has no passing test, and names the promise.',
  },
  {
    id: 'gate-test-cites',
    where: contributingPage,
    promise: 'A run fails when a test cites no promise, or one that is not on the list.',
  },
  {
    id: 'gate-proven-by-all',
    where: contributingPage,
    promise: 'A promise that only test:all proves is marked so, and a mark that is not true makes the run red.',
  },
  { id: 'gate-double-id', where: contributingPage, promise: 'A run fails when two promises have the same id.' },
  {
    id: 'gate-nothing-skipped',
    where: contributingPage,
    promise: 'A run fails when a test was skipped, left to do, singled out, unfinished or expected to fail.',
  },
  {
    id: 'gate-partial-run',
    where: contributingPage,
    promise: 'A run of some tests does not ask for the promises of the others, and is held to all other rules.',
  },
  {
    id: 'gate-real-run',
    where: contributingPage,
    promise: 'The gate judges what really ran: vitest itself ends non-zero when the gate finds something.',
  },
  {
    id: 'test-counts',
    where: contributingPage,
    promise:
      'npm test goes step by step, names a step that fails with what to type, prints its ten slowest files and ends with `N passed, N failed`.',
  },
  {
    id: 'test-needs',
    where: contributingPage,
    promise: 'A missing tool is installed where we may, else named with the command that installs it; never left out.',
  },
  {
    id: 'test-environment',
    where: contributingPage,
    promise: 'Tests see no variables of another session, no credentials, no tmux server and no git directory.',
  },
  {
    id: 'test-lanes',
    where: contributingPage,
    promise: 'Tests run lane by lane: pure, adapters, daemon, kill. What a file imports decides its lane.',
  },
  {
    id: 'test-retried',
    where: contributingPage,
    promise:
      'Up to two failed tests of the daemon lane run once more, alone. npm test prints both errors and the entry for the list. A listed test is not retried.',
  },
  {
    id: 'test-all-due',
    where: contributingPage,
    promise:
      'npm test plays everything when a file that decides about the real client has changed since the last green test:all, or when test:all was never green.',
  },
  {
    id: 'test-results-kept',
    where: contributingPage,
    promise:
      'test:all writes the hash of the tree, the date, the counts and the failed seeds, and npm test prints their age.',
  },
  {
    id: 'test-repeat',
    where: contributingPage,
    promise:
      'test:repeat runs npm test again and again, beside busy loops if asked, adds a row for each run to a table, and continues on the same tree.',
    provenBy: 'both',
  },
  {
    id: 'test-interrupted',
    where: contributingPage,
    promise: 'Ctrl-C ends what the running step started, daemons and tmux servers of tests too; the exit code is 130.',
  },
]
