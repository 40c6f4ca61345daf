import type { Requirement } from './requirement.ts'

const where = 'docs/sessions.md'

export const session: Requirement[] = [
  {
    id: 'driver-abandon',
    where,
    promise: 'A turn that was abandoned never starts; one that has started cannot be abandoned.',
  },
  {
    id: 'driver-ends-everything',
    where,
    promise: 'A turn that starts processes faster than they can be counted is ended with all of them.',
  },
  {
    id: 'driver-pid-reused',
    where,
    promise: 'A process id that is written down and belongs to somebody else by now is not taken for the session.',
  },
  {
    id: 'driver-prompt-kept',
    where,
    promise: 'A second start of a turn does not touch what the first one’s client is reading.',
  },
  { id: 'driver-starts-once', where, promise: 'Of many starts of one turn at once, one runs, with its whole prompt.' },
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
  { id: 'session-cancel', where, promise: 'Cancel ends the session, and the run is cancelled with that cause.' },
  {
    id: 'session-cancel-everything',
    where,
    promise: 'Cancel leaves nothing running: not a client that ignores TERM, nor what left its process group.',
  },
  {
    id: 'session-cancel-starting',
    where,
    promise: 'A run that is cancelled at the very moment of its start has no session left.',
  },
  {
    id: 'session-cancel-waiting',
    where,
    promise: 'A run that waits for a place is cancelled without ever having started.',
  },
  {
    id: 'session-causes',
    where,
    promise: 'A limit, an overload, refused credentials each fail the run with their own cause.',
  },
  { id: 'session-client-missing', where, promise: 'A client that is missing fails the run, and its name is said.' },
  {
    id: 'session-client-refused',
    where,
    promise: 'A client that ends at once with an error fails the run, and what it said is shown.',
  },
  { id: 'session-cost', where, promise: 'What two turns cost is counted once each.' },
  {
    id: 'session-crash-resumed',
    where,
    promise: 'A client that is killed in mid turn is resumed by itself, told that it was cut off.',
  },
  {
    id: 'session-end-order',
    where,
    promise:
      'A client is told to end before its hooks are. It does not take the end of a hook for an answer. Hooks are told when the client has ended, or after half of the grace.',
  },
  {
    id: 'session-crash-unkept',
    where,
    promise:
      'A client that is killed before it has written a message down is started again under the same session id, with its whole task and told to look at the project first.',
  },
  {
    id: 'session-crash-retries',
    where,
    promise: 'A session that is cut off again and again is resumed as often as configured, then the run has failed.',
  },
  { id: 'session-crash-vanished', where, promise: 'Client and wrapper killed together are noticed and resumed.' },
  {
    id: 'session-environment',
    where,
    promise: 'A session gets its caller’s environment, less what names another session, and our own names.',
  },
  {
    id: 'session-leaves-nothing',
    where,
    promise: 'What a session left running is gone also when the daemon dies the moment its end is written down.',
    provenBy: 'both',
  },
  {
    id: 'session-listed',
    where,
    promise: 'A run that has ended is listed as complete, with its cause, its cost and its times.',
  },
  { id: 'session-max-cost', where, promise: 'A run that reaches its cost limit ends as over-budget.' },
  {
    id: 'session-clock-stops',
    where: 'docs/quests.md',
    promise: 'While somebody is asked, the time limit of a run stands still.',
  },
  { id: 'session-max-time', where, promise: 'A run that reaches its time limit is ended as over-budget, with code 4.' },
  {
    id: 'session-needs-environment',
    where,
    promise:
      'A session that must be started again after a restart pauses for lost credentials, names them, and resume mends it.',
  },
  {
    id: 'session-odd-path',
    where,
    promise: 'A project whose path has spaces, umlauts and quotes is worked in like any other.',
  },
  {
    id: 'session-pause',
    where,
    promise: 'pause ends the session for now, and resume goes on with the same one and its history.',
  },
  {
    id: 'session-project-missing',
    where,
    promise: 'A project directory that is removed pauses the run before its next turn; back again, resume goes on.',
  },
  { id: 'session-prompt-line', where, promise: 'Every prompt begins with the line that names run, role and attempt.' },
  {
    id: 'session-prompt-slash',
    where,
    promise: 'A prompt that begins with a slash carries the line last, and the real client expands its command.',
    provenBy: 'both',
  },
  {
    id: 'session-real-client',
    where,
    promise: 'The real client does a rehearsed prompt with two tools and two at once, shown as it goes.',
  },
  {
    id: 'session-resume-ended',
    where,
    promise: 'A run that has ended goes on with its session when resumed: complete, failed, cancelled.',
  },
  {
    id: 'session-resume-refused',
    where,
    promise: 'Resume is refused with a sentence where it has no meaning: an active run, a complete one without a text.',
  },
  { id: 'session-resume-text', where, promise: 'What is said with resume is the next prompt.' },
  {
    id: 'session-tell',
    where,
    promise: 'What a running session is told is its next prompt, in the same session.',
  },
  {
    id: 'session-without-said',
    where,
    promise: 'A session that was started before the kill is not said to lack what it was started with.',
    provenBy: 'both',
  },
  { id: 'sessions-max', where, promise: 'Of six runs at most two have a session at once, and the oldest comes first.' },
  {
    id: 'sessions-oldest-first',
    where,
    promise: 'A run that was told something goes before younger ones that wait: none is starved.',
  },
  {
    id: 'sessions-start-again',
    where,
    promise: 'A start that fails, on a full disk, is tried again and holds no place meanwhile.',
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
      'A pane of ours that waits in a dialog before it began is one question with what it shows; it closes when it is answered there.',
  },
  {
    id: 'pane-trust-nobody',
    where,
    promise: 'With --no-questions such a dialog ends the session and pauses the run.',
  },
  {
    id: 'pane-no-hooks',
    where,
    promise: 'A pane of ours that works with its hooks disabled is said to; the client’s own note tells its status.',
    provenBy: 'test:all',
  },
  {
    id: 'pane-unheard-patience',
    where,
    promise:
      'A dialog before the first hook is asked about within ten seconds of the start; a screen that says nothing clear, or works, after ten seconds, an empty one after thirty; none after its first hook.',
  },
]
