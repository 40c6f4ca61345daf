import type { Requirement } from './requirement.ts'

const where = 'docs/sessions.md'

export const session: Requirement[] = [
  {
    id: 'driver-starts-once',
    where,
    promise:
      'Of many starts of one turn at once, one runs, with its whole prompt. A turn that was abandoned never starts.',
  },
  {
    id: 'session-background-grace',
    where,
    promise: 'What an agent leaves in the background gets its grace after the result, then the run is complete.',
  },
  {
    id: 'session-busy',
    where,
    promise: 'A session that somebody has open elsewhere pauses the run; closed, resume goes on.',
  },
  {
    id: 'session-cancel',
    where,
    promise:
      'Cancel ends the session with all that it started, whether it works, is just starting or waits for a place.',
  },
  {
    id: 'session-client-missing',
    where,
    promise:
      'A client that is missing, refuses to start, or meets a limit, an overload or refused credentials fails the run with its own cause.',
  },
  {
    id: 'session-crash-resumed',
    where,
    promise:
      'A client that is killed is resumed by itself and told that it was cut off, as often as configured. Then the run has failed.',
  },
  {
    id: 'session-end-order',
    where,
    promise:
      'A client is told to end before its hooks are. It does not take the end of a hook for an answer. Hooks are told when the client has ended, or after half of the grace.',
  },
  {
    id: 'session-environment',
    where,
    promise: 'A session gets its caller’s environment, less what names another session, and our own names.',
  },
  {
    id: 'session-leaves-nothing',
    where,
    promise:
      'Whatever a session starts is ended with it, also when the daemon dies at that moment, and no process of anybody else is.',
    provenBy: 'both',
  },
  {
    id: 'session-max-cost',
    where,
    promise: 'Each turn’s cost is counted once, and a run that reaches its cost limit ends as over-budget.',
  },
  {
    id: 'session-max-time',
    where,
    promise:
      'A run that reaches its time limit ends as over-budget, with code 4. The clock stands still while somebody is asked.',
  },
  {
    id: 'session-needs-environment',
    where,
    promise:
      'A session that must be started again after a restart pauses only for credentials that are lost, names them, and resume continues it.',
  },
  {
    id: 'session-odd-path',
    where,
    promise: 'A project whose path has spaces, umlauts and quotes is worked in like any other.',
  },
  {
    id: 'session-pause',
    where,
    promise:
      'pause ends the session for now. resume goes on with the same one, ended or paused, with what is said, and is refused where it has no meaning.',
  },
  {
    id: 'session-project-missing',
    where,
    promise: 'A project directory that is removed pauses the run before its next turn; back again, resume goes on.',
  },
  {
    id: 'session-prompt-line',
    where,
    promise: 'Every prompt carries the line that names run, role and attempt, and a command with a slash still works.',
  },
  {
    id: 'session-real-client',
    where,
    promise:
      'The real client does a rehearsed prompt with tools, shown as it goes, and is listed with its cause, cost and times.',
  },
  {
    id: 'session-tell',
    where,
    promise: 'What a running session is told is its next prompt, in the same session.',
  },
  {
    id: 'sessions-max',
    where,
    promise:
      'At most the configured number of sessions run at once, the oldest comes first, and a start that fails holds no place.',
  },
  {
    id: 'open-takes-over',
    where,
    promise: 'A headless session is ended and taken over in a pane by resume; its run goes on being followed.',
  },
  {
    id: 'no-questions',
    where,
    promise:
      'With --no-questions, or --wait without a terminal, a question ends the session and pauses the run: code 6.',
    provenBy: 'both',
  },
  {
    id: 'pane-left',
    where: 'docs/architecture.md',
    promise:
      'The pane of a run that ended, and a tmux server of ours without any, are closed by the next daemon when the one before died there.',
    provenBy: 'both',
  },
  {
    id: 'pane-start',
    where: 'docs/architecture.md',
    promise:
      'A tmux server that is killed while a pane is opened is started again without an error in the log, and the client of the turn is started once.',
  },
  {
    id: 'pane-trust',
    where,
    promise:
      'A pane of ours that waits in a dialog before it began is one question, or pauses the run with --no-questions.',
  },
  {
    id: 'pane-no-hooks',
    where,
    promise: 'A pane of ours that works with its hooks disabled is said to; the client’s own note tells its status.',
    provenBy: 'test:all',
  },
]
