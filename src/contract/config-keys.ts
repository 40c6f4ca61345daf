import {
  choice,
  commands,
  dollars,
  duration,
  integer,
  type Kind,
  list,
  optional,
  program,
  word,
} from './config-kinds.ts'

/** One key. `what` says what it is; `reason` argues the default: why this one, and the price of being wrong. */
export type KeySpec<T> = {
  kind: Kind<T>
  default: NoInfer<T>
  what: string
  reason: string
  /** `run`: read when a run starts and kept for it. `daemon`: read when the daemon starts. */
  scope: 'run' | 'daemon'
  /** May a project's file, which comes with a clone, set it? `lower`: only to less than its user allows. */
  project: 'yes' | 'lower' | { no: string }
  flag?: `--${string}`
  /** Never printed: shown as "(set)". */
  secret?: boolean
}

const ONE_DAEMON = { no: 'one daemon serves all your projects' }

export const CONFIG_KEYS = {
  claude: key({
    kind: program(),
    default: 'claude',
    what: 'The client program.',
    reason: 'The name under which its own installer puts it. Wrong: no session starts, and the error names the path.',
    scope: 'run',
    project: { no: 'it names a program that would be run' },
    flag: '--claude',
  }),
  driver: key({
    kind: choice(['headless', 'pane']),
    default: 'headless',
    what: 'How a session is run: as a child process, or interactively in a tmux pane.',
    reason:
      'Headless needs no tmux and reports its own cost. Wrong: nothing is lost, `rehoboam open` moves it to a pane.',
    scope: 'run',
    project: 'yes',
    flag: '--driver',
  }),
  model: key({
    kind: optional(word('the name of a model, as the client knows it')),
    default: null,
    what: "The model that sessions use; none leaves it to the client's own setting.",
    reason: 'A name written here would grow old while the client moves on, and nobody would notice.',
    scope: 'run',
    project: 'yes',
    flag: '--model',
  }),
  permissionMode: key({
    kind: optional(word("the name of one of the client's permission modes")),
    default: null,
    what: "The client's permission mode; none leaves the client's own for that driver.",
    reason: 'Too strict costs a question in the inbox. Too loose cannot be undone, so we never loosen it by ourselves.',
    scope: 'run',
    project: { no: 'a clone must not decide what runs without asking you' },
    flag: '--permission-mode',
  }),
  allowedTools: key({
    kind: list('tools such as Edit or Bash(git log *)', /^[A-Za-z][^\p{Cc}]*$/u),
    default: [],
    what: 'Tools that the client may use without asking.',
    reason: 'A tool missing here costs one question; a tool too many is used without one.',
    scope: 'run',
    project: { no: 'a clone must not decide what runs without asking you' },
    flag: '--allowed-tools',
  }),
  maxCostUsd: key({
    kind: optional(dollars(1_000_000)),
    default: null,
    what: 'What one run may cost before it ends as over-budget.',
    reason:
      'Any sum that we guessed would end good work half-way. Without one only iterations, stalls and you end a run.',
    scope: 'run',
    project: 'lower',
    flag: '--max-cost',
  }),
  prices: key({
    kind: list(
      'prices such as claude-new-1=3/15 (USD per million tokens: input/output)',
      /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,99}=\d{1,5}(\.\d{1,6})?\/\d{1,5}(\.\d{1,6})?$/,
    ),
    default: [],
    what: 'What models cost, by the beginning of their names, where our table is wrong or has none. For sessions in panes only.',
    reason:
      'Ours is what the client itself counted on the day that is written beside it. Wrong: a cost limit in a pane ends a run too early or too late; missing: it pauses the run.',
    scope: 'daemon',
    project: { no: 'whose money it is, is not the project’s to say' },
  }),
  maxTime: key({
    kind: optional(duration()),
    default: null,
    what: 'How long one run may take before it ends as over-budget.',
    reason: 'As for maxCostUsd: hours are right for one task and absurd for another, and only you know which it is.',
    scope: 'run',
    project: 'lower',
    flag: '--max-time',
  }),
  maxIterations: key({
    kind: integer(1, 10_000),
    default: 50,
    what: 'How many iterations a loop may take before it ends as stalled.',
    reason:
      'A loop that has not found its end after 50 fresh sessions rarely finds it in the 51st. More only costs more; `rehoboam resume` gives as many again.',
    scope: 'run',
    project: 'lower',
    flag: '--max-iterations',
  }),
  maxWorkers: key({
    kind: integer(1, 100),
    default: 3,
    what: 'How many workers of one pool work at the same time.',
    reason:
      'Every worker is a session that costs money and a worktree that takes disk, and each more of them makes conflicts likelier. Three keep a person busy who looks at what comes.',
    scope: 'run',
    project: 'lower',
    flag: '--max-workers',
  }),
  slots: key({
    kind: integer(1, 100),
    default: 3,
    what: 'How many sessions of one quest work at the same time.',
    reason:
      'As for maxWorkers: each costs money and a worktree, and makes conflicts likelier. Fewer only take longer, because steps wait for a slot.',
    scope: 'run',
    project: 'lower',
    flag: '--slots',
  }),
  'quest.testFiles': key({
    kind: list('patterns of paths such as e2e/**', /^(?![/-])(?!.*(?:^|\/)\.\.(?:\/|$))[^\p{Cc}]+$/u),
    default: [],
    what: 'Paths from the repository root that are tests, beside those that test runners look for: a role that may change tests only may change these.',
    reason:
      'Folders and names that nearly every project uses are known. Missing: tests of a Siegemaster are put back. Too many: it may change what it attacks.',
    scope: 'run',
    project: 'yes',
  }),
  stopWord: key({
    kind: word('one word'),
    default: 'DONE',
    what: 'The word that an agent writes alone on a line when the whole task is done.',
    reason: 'Short, and rarely alone on a line by chance. It is a claim, which the checks may refute, not an end.',
    scope: 'run',
    project: 'yes',
    flag: '--stop-word',
  }),
  stallAfter: key({
    kind: integer(1, 1_000),
    default: 3,
    what: 'After how many iterations in which nothing moved a loop ends as stalled.',
    reason: 'One that changes nothing may have looked around; the third has nothing left to try. Fewer ends good work.',
    scope: 'run',
    project: 'lower',
    flag: '--stall-after',
  }),
  judge: key({
    kind: choice(['heuristic', 'model', 'off']),
    default: 'heuristic',
    what: 'Who decides after an iteration whether the loop goes on: words (free), a model (paid), nobody.',
    reason: 'Words cost nothing and, when in doubt, go on. A model reads the work itself, and every look costs money.',
    scope: 'run',
    project: { no: 'a model as judge costs your money' },
    flag: '--judge',
  }),
  'ward.commands': key({
    kind: commands(),
    default: [],
    what: 'The checks that prove a claim, run by us in a clean worktree; none means those found in the project.',
    reason: 'What a project calls its tests is nearly always right. Wrong: a claim is refused, or proves too little.',
    scope: 'run',
    project: 'yes',
  }),
  'worktree.setup': key({
    kind: commands(),
    default: [],
    what: 'A command that makes a fresh worktree ready to work and to be checked, after dependencies were copied into it.',
    reason:
      'Most projects need none. Wrong: every worktree is without what it needs, and what is checked there could not be run.',
    scope: 'run',
    project: 'yes',
  }),
  'worktree.copies': key({
    kind: list('paths', /^(?![/-])(?!.*(?:^|\/)\.\.(?:\/|$))[^\p{Cc}]+$/u),
    default: ['.env', '.claude/settings.local.json'],
    what: 'Files that are not under version control and that worktrees get copies of, as paths from the repository root.',
    reason: 'What nearly every project that has them needs. Wrong: programs in worktrees do not find their settings.',
    scope: 'run',
    project: 'yes',
  }),
  'ward.timeLimitSec': key({
    kind: integer(1, 86_400),
    default: 1_800,
    what: 'How many seconds one check may take before it is ended as hanging.',
    reason:
      'Half an hour is longer than nearly every suite. Too short calls a slow suite red; too long waits for nothing.',
    scope: 'run',
    project: 'lower',
  }),
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

export type ConfigKey = keyof typeof CONFIG_KEYS
export type ConfigValues = {
  [K in ConfigKey]: (typeof CONFIG_KEYS)[K] extends KeySpec<infer T> ? T : never
}
export const CONFIG_KEY_NAMES = Object.keys(CONFIG_KEYS) as ConfigKey[]

/** Variables with our prefix that are not configuration: where the state is, and what sessions are told. */
export const OTHER_VARIABLES: readonly string[] = [
  'REHOBOAM_HOME',
  'REHOBOAM_RUN',
  'REHOBOAM_LOOP_DIR',
  'REHOBOAM_TURN',
  'REHOBOAM_WARD_KEY',
  'REHOBOAM_TOKEN',
  'REHOBOAM_PORT_BASE',
]

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(CONFIG_KEYS, name)
}

/** `sessions.startsPerSecond` is `REHOBOAM_SESSIONS_STARTS_PER_SECOND`. */
export function variableOf(key: string): string {
  return `REHOBOAM_${key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('.', '_')
    .toUpperCase()}`
}

function key<T>(spec: KeySpec<T>): KeySpec<T> {
  return spec
}
