import { choice, integer, key, list, ONE_DAEMON, optional, word } from './kinds.ts'

/** How sessions are kept, and the house around them: places, environment, notices, daemon. */
export const HOUSE_KEYS = {
  'session.backgroundGraceSec': key({
    kind: integer(0, 86_400),
    default: 120,
    what: "How many seconds a session's background tasks may outlive its turn.",
    reason:
      'Too short cuts off a test run that was about to report. Too long lets a forgotten dev server hold a place (cheap).',
    scope: 'run',
    project: 'yes',
  }),
  'session.stuckAfterSec': key({
    kind: integer(1, 86_400),
    default: 600,
    what: 'How many seconds a session may work without a word or a hook before it counts as stuck; six times as many while a tool runs.',
    reason:
      'Ten minutes is longer than a model thinks. Too short ends work that goes on (bad). Too long waits for a dead connection (cheap).',
    scope: 'run',
    project: 'yes',
  }),
  'session.endGraceSec': key({
    kind: integer(1, 300),
    default: 5,
    what: 'How many seconds a session has between being asked to end (TERM) and being ended (KILL).',
    reason:
      'A client that is killed in the middle of writing its transcript may not resume. Too long only delays a cancel (cheap).',
    scope: 'run',
    project: 'yes',
  }),
  'session.crashRetries': key({
    kind: integer(0, 20),
    default: 3,
    what: 'How often a session that was cut off is resumed before it is a question for you.',
    reason:
      'A passing fault is over by the third try. More pays again and again for a fault that stays; fewer wakes you for nothing.',
    scope: 'run',
    project: 'lower',
  }),
  'session.lineLimitMb': key({
    kind: integer(1, 64),
    default: 8,
    what: "The longest line of a session's output that is read, in MB; a longer one is counted and skipped.",
    reason:
      'A tool result with a picture takes some MB. Too low loses such a line from view; too high lets one line fill the memory.',
    scope: 'run',
    project: { no: 'it guards the memory of the one daemon that serves all your projects' },
  }),
  'sessions.max': key({
    kind: integer(1, 256),
    default: 16,
    what: 'How many sessions run at once on this machine, over all runs.',
    reason:
      'Each is a process of some hundred MB and a share of your rate limit. Too many slow each other down; too few wait (cheap).',
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
  'sessions.startsPerSecond': key({
    kind: integer(1, 50),
    default: 4,
    what: 'How many sessions are started in one second.',
    reason:
      'The first second is when a client needs the processor most. Too many at once stall the machine; 4 fill 16 places in 4 s.',
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
  'env.keep': key({
    kind: list('names of environment variables', /^[A-Za-z_][A-Za-z0-9_]*$/),
    default: [],
    what: 'Variables kept on disk with a run, besides the built-in ones (PATH, HOME, LANG, ...), so that they survive a restart.',
    reason:
      'What is not named lives in memory only. A missing name costs a note after a restart; a secret named here lies in a 0600 file.',
    scope: 'run',
    project: { no: 'it would write your environment to disk' },
  }),
  'env.required': key({
    kind: list('names of environment variables', /^[A-Za-z_][A-Za-z0-9_]*$/),
    default: [],
    what: 'Variables that count as credentials, besides the built-in ones: a run that lost one in a restart pauses.',
    reason:
      'The built-in names cover the client. A name too many pauses a run for nothing; one too few lets it go on and fail.',
    scope: 'run',
    project: { no: 'it decides about your credentials' },
  }),
  'history.keepDays': key({
    kind: integer(1, 3650),
    default: 14,
    what: 'For how many days it is kept what agents did, for looking back.',
    reason: 'Two weeks cover a holiday. Too few lose a look back; too many only cost disk. No work is in it.',
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
  'notify.bell': key({
    kind: choice(['on', 'off']),
    default: 'on',
    what: 'Whether a terminal in which you follow the inbox or wait for a run rings when something is asked.',
    reason: 'You follow because you want to know. Off costs a look at the screen; the title says it either way.',
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
  'hooks.http': key({
    kind: choice(['on', 'off']),
    default: 'on',
    what: 'Whether the frequent events of sessions that we start come over HTTP on 127.0.0.1; off: all hooks are commands on the socket.',
    reason:
      'HTTP costs no process for each tool call. On a machine that you share, somebody could take the port while the daemon is down: then off, at some 50 ms of processor for each event.',
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
  'notify.desktop': key({
    kind: choice(['on', 'off']),
    default: 'off',
    what: 'Whether the desktop shows a notice when an agent needs you or a run ends.',
    reason:
      'Over ssh there is no desktop to show it. Off costs a look at the inbox; on where there is none costs a log line.',
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
  'notify.webhook': key({
    kind: optional(word('an http or https address')),
    default: null,
    what: 'The address that gets one JSON POST for each notice.',
    reason: 'Nothing leaves the machine unless you say where to. A wrong address costs a log line for each notice.',
    scope: 'daemon',
    project: { no: 'it would send what your agents ask to an address of the clone’s choice' },
  }),
  'notify.secret': key({
    kind: optional(word('any text without blanks')),
    default: null,
    what: 'With it each POST is signed: X-Rehoboam-Signature is the HMAC-SHA256 of the body.',
    reason: 'Without one the receiver cannot tell our notices from anybody’s.',
    scope: 'daemon',
    project: { no: 'it is a secret of yours' },
    secret: true,
  }),
  'daemon.port': key({
    kind: integer(0, 65_535),
    default: 0,
    what: 'The port on 127.0.0.1 for the web dashboard and the hooks of sessions; 0 chooses a free one once and keeps it.',
    reason:
      "A fixed number would be taken on somebody's machine. Keeping it matters: sessions that outlive the daemon report to it.",
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
  'journal.snapshotEvery': key({
    kind: integer(10, 1_000_000),
    default: 1000,
    what: "After how many events a run's state is stored, so that a restart need not read its whole journal.",
    reason: 'Too often writes much for nothing; too seldom makes a restart slow. Wrong either way: nothing is lost.',
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
  'logs.keepMb': key({
    kind: integer(1, 10_000),
    default: 20,
    what: "How many MB of the daemon's own log are kept; the oldest goes first.",
    reason:
      'Weeks of a calm daemon, or the last hours of a troubled one. Too little loses the cause of a fault; too much is disk.',
    scope: 'daemon',
    project: ONE_DAEMON,
  }),
}
