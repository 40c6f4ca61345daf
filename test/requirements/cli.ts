import type { Requirement } from './requirement.ts'

const where = 'README.md'

export const cli: Requirement[] = [
  { id: 'cli-colours', where, promise: 'On a terminal colours are there, and are the only escapes.' },
  {
    id: 'cli-config',
    where,
    promise: 'A value that is set is in the user’s file, is listed with its place, and can be taken out.',
  },
  {
    id: 'cli-config-wrong-file',
    where,
    promise: 'What is wrong in a file is named, with code 2, and what a hostile file holds reaches no terminal.',
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
    promise: 'A command that waits ends with the code of its run: 0, 1, 2, 4, 5, 6 or 130.',
  },
  { id: 'cli-help', where, promise: 'Help lists every command, and each has a description and examples.' },
  {
    id: 'cli-inside-agent',
    where,
    promise: 'Inside an agent commands that read work, and commands that change something are refused.',
  },
  { id: 'cli-interrupt', where, promise: 'Ctrl-C on a command that waits cancels the run and ends with 130.' },
  { id: 'cli-json', where, promise: 'Runs, show, and every command that changes a run print what the schema says.' },
  { id: 'cli-json-lines', where, promise: 'A command that follows prints one object a line, and ends with the run.' },
  { id: 'cli-logs', where, promise: 'Logs prints the whole of a run again, as it was seen live.' },
  { id: 'cli-no-escapes', where, promise: 'Without a terminal no command writes an escape byte.' },
  { id: 'cli-old-node', where, promise: 'An old Node gets as far as the sentence that says what is needed.' },
  {
    id: 'cli-relative-home',
    where,
    promise: 'A state directory that is given relative to here is the same for the daemon.',
  },
  { id: 'cli-run-ids', where, promise: 'The beginning of an id is enough when it fits one run.' },
  { id: 'cli-runs', where, promise: 'runs lists the runs, the newest last, and says what to type when there is none.' },
  { id: 'cli-show', where, promise: 'show tells where a run stands, what was asked and what came of it.' },
  {
    id: 'cli-spawn',
    where,
    promise: 'spawn takes its prompt from a flag, a file or stdin, another directory, and arguments for the client.',
  },
  { id: 'cli-tell', where, promise: 'A message is the prompt of the next turn of the same session.' },
  { id: 'cli-version', where, promise: '--version says the version and nothing else.' },
  { id: 'cli-wait-ends', where, promise: 'A command that waits always ends with its run, whatever ended it.' },
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
  { id: 'demo-clean', where, promise: 'The demo leaves nothing behind: no process, no directory.' },
  {
    id: 'demo-inside-agent',
    where,
    promise: 'The demo may be tried from inside an agent: it touches nothing of its user’s.',
  },
  { id: 'demo-keep', where, promise: 'The demo with --keep leaves its directory to look at, and nothing that runs.' },
  { id: 'demo-real-client', where, promise: 'The demo plays with the real Claude Code client.' },
  {
    id: 'demo-whole',
    where,
    promise: 'The demo mends a failing test in a repository of its own, with no account, and shows the change.',
  },
  { id: 'follow-interrupt', where, promise: 'Ctrl-C on a command that follows stops following, and nothing else.' },
  { id: 'papers-commands', where, promise: 'The papers name no command and no flag that there is not.' },
  { id: 'papers-demo-output', where, promise: 'README shows what the demo prints.' },
  { id: 'papers-first-steps', where, promise: 'README’s first steps can be typed as they stand.' },
  {
    id: 'papers-package',
    where,
    promise: 'What is packed for npm runs without any other package.',
    provenBy: 'test:all',
  },
  { id: 'papers-scenario', where, promise: 'The scenario in the papers plays as they say.' },
  { id: 'wait-codes', where, promise: 'A command that waits ends with the code of its run: paused 6, cancelled 5.' },
  { id: 'wait-hangup', where, promise: 'A closed terminal ends the command that waits and leaves the run running.' },
  {
    id: 'wait-interrupt',
    where,
    promise: 'Ctrl-C on a command that waits cancels the run, and nothing is left running.',
  },
  {
    id: 'wait-interrupt-heard',
    where,
    promise: 'A second Ctrl-C leaves when the daemon has heard of the cancel; a third leaves at once.',
  },
  {
    id: 'cli-config-refused',
    where,
    promise: 'A key or value that is refused is refused with code 2, says why, and writes nothing.',
  },
  { id: 'cli-unknown', where, promise: 'An unknown command or flag is code 2, says what, and names the nearest.' },
  { id: 'cli-usage', where, promise: 'Wrong usage is code 2 with a sentence that says what to type.' },
  { id: 'demo-interrupted', where, promise: 'Ctrl-C or TERM in the middle of the demo leaves nothing behind.' },
  {
    id: 'doctor-well',
    where,
    promise: 'doctor says of everything how it stands, and ends with 0 when nothing is bad.',
  },
  {
    id: 'doctor-hooks',
    where,
    promise:
      'doctor says whether your own sessions report, and what mends hooks that are old or start a program that is gone.',
  },
  { id: 'doctor-mend', where, promise: 'What is bad is said with how to mend it, and doctor ends with 1.' },
  { id: 'cli-start-small', where, promise: 'A command loads what it needs and little else.' },
]
