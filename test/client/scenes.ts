import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { bash, overloaded, rateLimited, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import {
  AGAIN,
  ALLOW_ALL,
  BEGIN,
  inBackground,
  killedBeforeAnswer,
  killedInTool,
  NOBODY,
  recorded,
  type Scene,
  SESSION,
  scene,
  several,
  signalled,
} from './scene.ts'

// Each scene is one or two starts of the real client, which is most of what it costs: where two things do not disturb
// each other, they are in one scene.

const FILE = '{{cwd}}/a.txt'
const OUTSIDE = '/var/tmp/rehoboam-never'
const SUBSCRIBER = { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'rehearsal-token' }

type Broken = 'truncated' | 'bad-json' | 'unknown-event' | 'no-message-stop' | 'empty'
const arriving = (how: Broken) => ({ fault: { kind: 'malformed' as const, how } })
const resetOnce = (turn: number, at: 'start' | 'middle') => ({
  when: { turn },
  times: 1,
  reply: say('Half', { fault: { kind: 'reset' as const, at } }),
})

const work: Scene[] = [
  recorded(scene('text only', [{ reply: say('All done.') }])),
  recorded(
    scene('thinking, and then a text, in a slow stream', [
      { reply: say('All done.', { thinking: 'What is there to do?', pace: { chars: 3, delayMs: 5 } }) },
    ]),
  ),
  recorded(scene('one tool', turns({}, { text: 'I look.', ...bash('echo hello') }, say('Seen.')))),
  scene(
    'two tools at once',
    turns({}, use(tool('Bash', { command: 'echo one' }), tool('Bash', { command: 'echo two' })), say('Both.')),
  ),
  recorded(scene('a tool that fails', turns({}, bash('echo out; echo err >&2; exit 3'), say('It failed.')), ALLOW_ALL)),
  recorded(inBackground('a command in the background', 'echo later', say('It ended.'))),
  scene(
    'file tools, edits that are accepted, calls that are wrong',
    turns(
      {},
      use(tool('Write', { file_path: FILE, content: 'one\ntwo\n' })),
      use(tool('Read', { file_path: FILE })),
      use(tool('Edit', { file_path: FILE, old_string: 'one', new_string: 'three', replace_all: false })),
      use(tool('Edit', { file_path: FILE, old_string: 'four', new_string: 'five', replace_all: false })),
      use(tool('Read', { file_path: '{{cwd}}/missing.txt' })),
      bash('cat a.txt'),
      bash('touch b.txt'),
      bash(`touch ${OUTSIDE}`),
      use(tool('Bash', {})),
      say('Written.'),
    ),
    ['--permission-mode', 'acceptEdits'],
  ),
]

const permissions: Scene[] = [
  recorded(
    scene(
      'permissions nobody is there to give',
      turns(
        {},
        bash('touch a.txt'),
        bash('node -e 1'),
        bash(`touch ${OUTSIDE}`),
        use(tool('Write', { file_path: FILE, content: 'x' })),
        use(tool('Write', { file_path: OUTSIDE, content: 'x' })),
        use(tool('Read', { file_path: '/etc/hostname' })),
        say('May I not?'),
      ),
    ),
  ),
  scene(
    'tools that are allowed by name',
    turns(
      {},
      bash('touch a.txt'),
      bash('mkdir b'),
      use(tool('Write', { file_path: FILE, content: 'x' })),
      say('Some.'),
    ),
    ['--allowedTools', 'Bash(touch *)', 'Write'],
  ),
]

const SHAPED = ['--json-schema', '{"type":"object","properties":{"verdict":{"type":"string"}},"required":["verdict"]}']
const shaped: Scene[] = [
  scene(
    'an answer in a given shape: refused while something is missing, and the end when it is whole',
    turns({}, use(tool('StructuredOutput')), use(tool('StructuredOutput', { verdict: 'good' })), say('Unasked.')),
    SHAPED,
  ),
  scene('an answer in a given shape that never comes', [{ reply: say('Good.') }], SHAPED),
]

const failures: Scene[] = [
  recorded(scene('429 and then an answer', [{ times: 1, reply: rateLimited() }, { reply: say('At last.') }])),
  recorded(scene('429 without end', [{ reply: rateLimited() }])),
  recorded(scene('429 for a subscriber', [{ reply: rateLimited({ resetInSeconds: 3600 }) }], [], SUBSCRIBER)),
  recorded(scene('529', [{ reply: overloaded() }])),
  scene('401', [{ reply: { status: 401 } }]),
  scene('connections that are reset before the answer and in the middle of it, and a stream that is cut off', [
    resetOnce(0, 'start'),
    resetOnce(1, 'middle'),
    ...turns({}, bash('echo one'), bash('echo two'), say('Well.', arriving('truncated'))),
  ]),
  scene('nobody at the address', [], [], { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }),
  scene('no key', [], [], { ANTHROPIC_API_KEY: '' }),
  scene(
    'streams with broken JSON, with nothing, with an event of the future, without the last event',
    turns(
      {},
      { ...bash('echo one'), ...arriving('bad-json') },
      { ...bash('echo two'), ...arriving('empty') },
      { ...bash('echo three'), ...arriving('unknown-event') },
      say('Well.', arriving('no-message-stop')),
    ),
  ),
  recorded(
    scene('a budget that is used up', turns({}, bash('echo one'), bash('echo two'), say('Cheap.')), [
      '--max-budget-usd',
      '0.001',
    ]),
  ),
]

const refusals: Scene[] = [
  scene('an option that does not exist', [], ['--no-such-option']),
  scene('a session id that is none', [], ['--session-id', 'not-a-uuid']),
  scene('settings that are not there', [], ['--settings', 'no-such-file.json']),
  recorded(scene('resume of an unknown session', [], ['--resume', NOBODY])),
  scene('resume with a session id', [], ['--resume', SESSION, '--session-id', SESSION]),
]

/** What the session has cost before is more than the resumed process may spend: a budget is for one process. */
export const resumed = several(
  'a session id that is in use, resume after the end, a fork',
  [...turns({ attempt: 1 }, bash('echo hello'), say('Done.')), { reply: say('I remember.') }],
  BEGIN,
  BEGIN,
  { ...AGAIN, args: ['--resume', SESSION, '--max-budget-usd', '0.001'] },
  { ...AGAIN, args: ['--resume', SESSION, '--fork-session', '--session-id', NOBODY] },
)
/** What a client leaves that is killed in its first moments: its session can be neither resumed nor started again. */
const unkept: Scene = {
  name: 'a session whose transcript holds no message, resumed and started again',
  rules: [],
  async play(bench) {
    const path = bench.home.transcript(SESSION)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `${JSON.stringify({ type: 'mode', mode: 'normal', sessionId: SESSION })}\n`)
    return [await bench.run(AGAIN), await bench.run(BEGIN)]
  },
}
export const killed = killedInTool('kill -9 in the middle of a tool, then resume')

const sessions: Scene[] = [
  resumed,
  unkept,
  killed,
  killedBeforeAnswer('kill -9 before an answer, then resume'),
  several(
    'resume after 429 without end, before and after a tool',
    [
      { when: { attempt: 1 }, reply: rateLimited() },
      { when: { attempt: 2, turn: 0 }, reply: bash('echo hello') },
      { when: { attempt: 2 }, reply: rateLimited() },
      { reply: say('I remember.') },
    ],
    BEGIN,
    AGAIN,
    { ...AGAIN, prompt: '[rehoboam run=r1 role=worker attempt=3]\nGo on.' },
  ),
  signalled('TERM in the middle of a tool, then resume', 'SIGTERM', 'tool', AGAIN),
  signalled('INT in the middle of a tool', 'SIGINT', 'tool'),
  signalled('TERM while the model thinks', 'SIGTERM', 'answer'),
]

export const scenes: Scene[] = [...work, ...permissions, ...shaped, ...failures, ...refusals, ...sessions]
