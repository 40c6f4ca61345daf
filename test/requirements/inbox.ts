import type { Requirement } from './requirement.ts'

const where = 'docs/agents.md'
const hooksPage = 'docs/hooks.md'

export const inbox: Requirement[] = [
  { id: 'inbox-allow', where, promise: 'A permission waits in the inbox and is allowed from the CLI.' },
  {
    id: 'inbox-run-asks',
    where,
    promise: 'A run whose question is open is said to ask, in lists and on its page, with what to type; not to work.',
  },
  {
    id: 'inbox-paused',
    where,
    promise:
      'A session or loop that is paused by what is around it asks in the inbox, with what to type, until it goes on or ends.',
  },
  { id: 'inbox-deny', where, promise: 'A denied permission tells the agent why, and its command does not run.' },
  {
    id: 'inbox-answer',
    where,
    promise: 'A question in a pane is answered from the CLI, by text or by the number of an option.',
    provenBy: 'both',
  },
  {
    id: 'inbox-pane-answer',
    where,
    promise:
      'An answer given in the session’s own pane closes its question, also while the allowed command runs: allowed, refused, Esc, a choice.',
  },
  {
    id: 'inbox-pane-usable',
    where,
    promise: 'While a question is open in the inbox, the pane’s own prompt stays usable beside it.',
  },
  {
    id: 'inbox-pane-signs',
    where,
    promise:
      'A client that notes nothing of itself has answered when it runs the command, or no longer shows the prompt.',
  },
  {
    id: 'inbox-pane-which',
    where,
    promise: 'Where nobody can tell which of several questions was answered in a pane, none is closed for it.',
  },
  { id: 'inbox-first-wins', where, promise: 'Of two answers the first wins and the other is told so.' },
  {
    id: 'inbox-survives',
    where,
    promise: 'Open questions outlive the daemon: none is denied, all are answered after its return.',
  },
  {
    id: 'inbox-since',
    where,
    promise: 'A question is as old as the hook that asks it, also after a restart of the daemon.',
  },
  { id: 'audit-read', where, promise: 'Whoever reads the audit log sees all that was decided before.' },
  {
    id: 'audit-write-failed',
    where,
    promise:
      'An entry of the audit log that cannot be written does not keep later ones from being written, nor ends the daemon; a question whose answer cannot be written is open again, for everybody.',
  },
  {
    id: 'inbox-asked-again',
    where,
    promise: 'A question of a run whose text could not be read is asked seconds later, if it is still wanted.',
  },
  {
    id: 'inbox-agent-refused',
    where,
    promise: 'A command from inside an agent may not answer; the attempt is in the audit log.',
  },
  {
    id: 'inbox-always',
    where,
    promise: '"Always for this run" becomes a rule that answers from then on; the audit log names the rule.',
  },
  { id: 'hook-reports', where: hooksPage, promise: 'A hook reports to the daemon, prints nothing and exits 0.' },
  { id: 'hook-rubbish', where: hooksPage, promise: 'Rubbish on a hook’s input is swallowed without a word.' },
  {
    id: 'hook-no-http',
    where: hooksPage,
    promise:
      'With hooks.http off every hook of a session that we start is a command on the socket, and all is still seen.',
  },
  {
    id: 'hook-id-short',
    where: hooksPage,
    promise: 'Questions of the same minute differ in the part of the id that is shown.',
  },
  {
    id: 'hook-input-late',
    where: hooksPage,
    promise: 'An event whose input comes in pieces, through an end that does not wait, arrives whole.',
  },
  {
    id: 'hook-large',
    where: hooksPage,
    promise: 'An event that is larger than the daemon reads arrives cut, and no rule decides about what was cut.',
  },
  {
    id: 'hook-large-refused',
    where: hooksPage,
    promise: 'A body over the limit of its address is refused; only the client’s own hooks have a larger one.',
  },
  {
    id: 'hook-large-screen',
    where: hooksPage,
    promise: 'A large event of a session that we start is taken in, and nothing of it stands in the session’s screen.',
    provenBy: 'test:all',
  },
  {
    id: 'hook-spool',
    where: hooksPage,
    promise: 'With the daemon down hooks neither wait nor speak, and their events arrive in order at the next start.',
  },
  {
    id: 'hook-spool-real',
    where,
    promise:
      'With the daemon down, more than fifty hooks of a real session show nothing in its screen and arrive in order at the next start.',
    provenBy: 'test:all',
  },
  {
    id: 'hook-spool-late',
    where: hooksPage,
    promise:
      'What a hook leaves in the spool because a daemon that serves did not answer in time is taken in a moment later, once.',
  },
  {
    id: 'hook-overtaken',
    where: hooksPage,
    promise: 'A hook that is overtaken by a later one, in the spool or on its way, changes nothing.',
  },
  {
    id: 'hook-order',
    where: hooksPage,
    promise:
      'Hooks of a session count from when they were started, in whatever order they are heard: one that is late undoes nothing that began after it.',
  },
  {
    id: 'hook-order-clock',
    where: hooksPage,
    promise: 'Late is up to fifteen seconds: a clock that is set back does not silence an agent.',
  },
  {
    id: 'hook-order-bounded',
    where: hooksPage,
    promise: 'What is kept of hooks to put late ones in their place is little, and only for as long as one may come.',
  },
  {
    id: 'hook-order-inbox',
    where: hooksPage,
    promise: 'A hook that began before a question was asked does not close it, however late it is heard.',
  },
  {
    id: 'tool-early-end',
    where: hooksPage,
    promise: 'A tool whose end was told before its beginning is heard is not shown as running.',
  },
  { id: 'hook-script-passes', where: hooksPage, promise: 'A permission of a user’s own headless script is not held.' },
  {
    id: 'hook-no-daemon-no-hold',
    where: hooksPage,
    promise: 'A user’s own session is never held while no daemon runs.',
  },
  { id: 'hook-esc', where: hooksPage, promise: 'Esc in the pane closes the question.' },
  {
    id: 'hook-real-script',
    where: hooksPage,
    promise: 'A user’s own headless session with our hooks installed does not hang and is shown.',
  },
  { id: 'hook-once', where: hooksPage, promise: 'A session that has our hooks twice is reported once.' },
  { id: 'notice-once', where, promise: 'A question is told once, by a signed POST.' },
  { id: 'notice-muted', where, promise: 'Nothing is told while the inbox is muted.' },
  {
    id: 'notice-failed',
    where,
    promise: 'A notice that cannot be delivered costs a line in the log and nothing else.',
  },
  { id: 'inbox-rules', where, promise: 'A rule answers by itself while it stands.' },
  { id: 'inbox-rule-denies', where, promise: 'A rule that denies tells the agent which rule it was.' },
  {
    id: 'inbox-rules-broken',
    where,
    promise: 'A rules file that cannot be read allows nothing, is said, and is not overwritten.',
  },
  { id: 'inbox-rules-wrong', where, promise: 'Wrong rules are refused with what to type.' },
  {
    id: 'inbox-agent-descends',
    where,
    promise: 'What descends from an agent may not decide, whatever it has unset; the attempt is in the audit log.',
  },
  {
    id: 'inbox-bulk',
    where,
    promise: 'Several are answered at once, each with its own outcome; 300 can be read and answered.',
  },
  { id: 'inbox-whole-text', where, promise: 'What is asked is shown whole, on a narrow screen too.' },
  { id: 'bell-once', where, promise: 'Who follows on a terminal hears one bell for each new question.' },
  { id: 'bell-title', where, promise: 'The title says how many wait, and is as before afterwards.' },
  { id: 'bell-off', where, promise: 'A plain terminal, a muted inbox and the setting keep it quiet.' },
  { id: 'bell-wait', where, promise: 'Who waits for a run is told what it asks, with what to type.' },
  { id: 'notice-restart', where, promise: 'A notice comes once, and a mute holds, across a restart.' },
  {
    id: 'notice-runs',
    where,
    promise: 'A run that ends or needs somebody is told once; one that its user stopped is not.',
  },
]
