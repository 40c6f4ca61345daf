import type { Requirement } from './requirement.ts'

const where = 'README.md'

export const cli: Requirement[] = [
  {
    id: 'cli-config',
    where,
    promise:
      'config sets, lists and unsets values of the user’s file. What is wrong is refused with code 2, says why, and writes nothing.',
  },
  { id: 'cli-debug', where, promise: 'An error is a sentence, and with --debug also where it came from.' },
  {
    id: 'cli-ended-run',
    where,
    promise: 'An ended run cannot be told, cancelled or paused, and says what can be done.',
  },
  {
    id: 'cli-exit-codes',
    where,
    promise: 'A command that waits ends with its run, and its exit code says how: 0, 1, 2, 4, 5, 6 or 130.',
  },
  {
    id: 'cli-help',
    where,
    promise:
      'Help lists every command with a description and examples, and --version says the version and nothing else.',
  },
  {
    id: 'cli-inside-agent',
    where,
    promise: 'Inside an agent commands that read work, and commands that change something are refused.',
  },
  {
    id: 'cli-interrupt',
    where,
    promise:
      'Ctrl-C cancels the run that a command waits for, and ends with 130 when nothing is left running. Ctrl-C on a command that only follows stops following.',
  },
  {
    id: 'cli-json',
    where,
    promise:
      'With --json, lists, pages and changes print what the schema says, and a command that follows prints one object a line.',
  },
  { id: 'cli-logs', where, promise: 'Logs prints the whole of a run again, as it was seen live.' },
  {
    id: 'cli-no-escapes',
    where,
    promise: 'Without a terminal no command writes an escape byte. On a terminal colours are the only escapes.',
  },
  { id: 'cli-old-node', where, promise: 'An old Node gets as far as the sentence that says what is needed.' },
  {
    id: 'cli-relative-home',
    where,
    promise:
      'A state directory that is given relative to here is the same for the command, the daemon and its sessions.',
  },
  { id: 'cli-run-ids', where, promise: 'The beginning of an id is enough when it fits one run.' },
  { id: 'cli-runs', where, promise: 'runs lists the runs, the newest last, and says what to type when there is none.' },
  {
    id: 'cli-show',
    where,
    promise: 'show says where a run stands, what was asked and what came of it.',
  },
  {
    id: 'cli-spawn',
    where,
    promise:
      'spawn takes its prompt, of any length, from a flag, a file or stdin, another directory, and arguments for the client.',
  },
  {
    id: 'demo-clean',
    where,
    promise: 'The demo leaves nothing behind, also when it is interrupted. With --keep only its directory stays.',
  },
  {
    id: 'demo-client-configured',
    where,
    promise: 'The demo plays with the client that its user’s configuration names.',
  },
  {
    id: 'demo-client-missing',
    where,
    promise: 'Without a client that starts, the demo says how to get one, ends with 1, and leaves nothing behind.',
  },
  {
    id: 'demo-inside-agent',
    where,
    promise: 'The demo may be tried from inside an agent: it touches nothing of its user’s.',
  },
  { id: 'demo-real-client', where, promise: 'The demo plays with the real Claude Code client.' },
  {
    id: 'demo-whole',
    where,
    promise: 'The demo mends a failing test in a repository of its own, with no account, and shows the change.',
  },
  {
    id: 'papers-first-steps',
    where,
    promise:
      'Commands, flags, first steps, the scenario and the demo’s output work as the pages of this project show them.',
  },
  {
    id: 'papers-package',
    where,
    promise: 'What is packed for npm runs without any other package.',
    provenBy: 'test:all',
  },
  { id: 'wait-hangup', where, promise: 'A closed terminal ends the command that waits and leaves the run running.' },
  {
    id: 'cli-usage',
    where,
    promise:
      'Wrong usage is code 2 with a sentence that says what to type, and an unknown command or flag is answered with the nearest one.',
  },
  {
    id: 'doctor-well',
    where,
    promise:
      'doctor says how everything stands and how to fix what is bad, hooks included. Its exit code is 0 when nothing is bad.',
  },
  { id: 'cli-start-small', where, promise: 'A command loads what it needs and little else.' },
]
