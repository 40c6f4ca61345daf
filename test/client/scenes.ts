import { readFileSync } from 'node:fs'
import { bash, overloaded, rateLimited, say, tool, turns, use } from '../../src/rehearsal/lines.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import type { Bench, Turn } from '../support/real-client.ts'
import type { Ended } from '../support/real-process.ts'
import { until } from '../support/real-until.ts'

/** One situation, played with the real client and with its double: what the model says, and what is done around it. */
export type Scene = { name: string; rules: RuleSource[]; play(bench: Bench): Promise<Ended[]> }

const SESSION = '11111111-2222-4333-8444-555555555555'
const NOBODY = '99999999-2222-4333-8444-555555555555'
const ALLOW_ALL = ['--permission-mode', 'bypassPermissions']
// Runs until somebody ends it. Not `sleep 60`: the client refuses to sit out a long sleep.
const ENDLESS = 'while [ -d "$HOME" ]; do sleep 0.1; done'
const AGAIN = { prompt: '[rehoboam run=r1 role=worker attempt=2]\nGo on.', args: ['--resume', SESSION] }

export const scenes: Scene[] = [
  scene('text only', [{ reply: say('All done.') }]),
  scene('thinking before the text', [{ reply: say('All done.', { thinking: 'What is there to do?' }) }]),
  scene('one tool', turns({}, { text: 'I look.', ...bash('echo hello') }, say('Seen.'))),
  scene(
    'two tools at once',
    turns({}, use(tool('Bash', { command: 'echo one' }), tool('Bash', { command: 'echo two' })), say('Both.')),
  ),
  scene('a tool that fails', turns({}, bash('echo out; echo err >&2; exit 3'), say('It failed.'))),
  scene(
    'file tools',
    turns(
      {},
      use(tool('Write', { file_path: '{{cwd}}/a.txt', content: 'one\ntwo\n' })),
      use(tool('Read', { file_path: '{{cwd}}/a.txt' })),
      use(tool('Edit', { file_path: '{{cwd}}/a.txt', old_string: 'one', new_string: 'three', replace_all: false })),
      use(tool('Edit', { file_path: '{{cwd}}/a.txt', old_string: 'four', new_string: 'five', replace_all: false })),
      use(tool('Read', { file_path: '{{cwd}}/missing.txt' })),
      bash('cat a.txt'),
      say('Written.'),
    ),
    ['--permission-mode', 'acceptEdits'],
  ),
  scene('a tool that is called wrongly', turns({}, use(tool('Bash', {})), say('Sorry.'))),
  scene(
    'permissions nobody is there to give',
    turns(
      {},
      bash('touch a.txt'),
      bash('node --version'),
      bash('touch /var/tmp/rehoboam-never'),
      use(tool('Write', { file_path: '{{cwd}}/a.txt', content: 'x' })),
      use(tool('Write', { file_path: '/var/tmp/rehoboam-never', content: 'x' })),
      use(tool('Read', { file_path: '/etc/hostname' })),
      say('May I not?'),
    ),
  ),
  scene(
    'tools that are allowed by name',
    turns(
      {},
      bash('touch a.txt'),
      bash('mkdir b'),
      use(tool('Write', { file_path: '{{cwd}}/c.txt', content: 'x' })),
      say('Some.'),
    ),
    ['--allowedTools', 'Bash(touch *)', 'Write'],
  ),
  scene(
    'edits that are accepted',
    turns({}, bash('touch a.txt'), bash('touch /var/tmp/rehoboam-never'), say('Inside only.')),
    ['--permission-mode', 'acceptEdits'],
  ),
  scene(
    'a command in the background',
    turns({}, background('sleep 0.3; echo later'), say('Waiting.'), say('It ended.')),
    ALLOW_ALL,
  ),
  scene(
    'a command in the background that fails',
    turns({}, background('sleep 0.3; exit 3'), say('Waiting.'), say('Oh.')),
    ALLOW_ALL,
  ),
  scene('a slow stream', [{ reply: say('This comes in small pieces.', { pace: { chars: 3, delayMs: 5 } }) }]),
  scene('429 and then an answer', [{ times: 1, reply: rateLimited() }, { reply: say('At last.') }]),
  scene('429 without end', [{ reply: rateLimited() }]),
  scene('429 for a subscriber, with the moment of the reset', [{ reply: rateLimited({ resetInSeconds: 3600 }) }], [], {
    ANTHROPIC_API_KEY: '',
    CLAUDE_CODE_OAUTH_TOKEN: 'rehearsal-token',
  }),
  scene('429 after a tool', [{ when: { turn: 0 }, reply: bash('echo hello') }, { reply: rateLimited() }]),
  scene('529', [{ reply: overloaded() }]),
  scene('500 and then an answer', [{ times: 1, reply: { status: 500 } }, { reply: say('At last.') }]),
  scene('400', [{ reply: { status: 400 } }]),
  scene('401', [{ reply: { status: 401 } }]),
  scene('403', [{ reply: { status: 403 } }]),
  scene('404', [{ reply: { status: 404 } }]),
  scene('a connection that is reset before the answer', [
    { times: 1, reply: say('Half', { fault: { kind: 'reset', at: 'start' } }) },
    { reply: say('Whole.') },
  ]),
  scene('a connection that is reset in the middle', [
    { times: 1, reply: say('Half', { fault: { kind: 'reset', at: 'middle' } }) },
    { reply: say('Whole.') },
  ]),
  scene('connections that are always reset', [{ reply: say('Half', { fault: { kind: 'reset' } }) }]),
  scene('nobody at the address', [], [], { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }),
  scene('no key', [], [], { ANTHROPIC_API_KEY: '' }),
  scene('a stream that is cut off', [{ reply: say('Half', { fault: { kind: 'malformed', how: 'truncated' } }) }]),
  scene('a stream with broken JSON', [{ reply: say('Half', { fault: { kind: 'malformed', how: 'bad-json' } }) }]),
  scene('a stream with an event of the future', [
    { reply: say('Fine.', { fault: { kind: 'malformed', how: 'unknown-event' } }) },
  ]),
  scene('a stream without its last event', [
    { reply: say('Fine.', { fault: { kind: 'malformed', how: 'no-message-stop' } }) },
  ]),
  scene('an empty stream', [{ reply: say('Half', { fault: { kind: 'malformed', how: 'empty' } }) }]),
  scene('a budget that is used up', turns({}, bash('echo one'), bash('echo two'), bash('echo three'), say('Cheap.')), [
    '--max-budget-usd',
    '0.001',
  ]),
  scene('an option that does not exist', [], ['--no-such-option']),
  scene('a value that is not allowed', [], ['--permission-mode', 'reckless']),
  scene('a session id that is none', [], ['--session-id', 'not-a-uuid']),
  scene('settings that are not there', [], ['--settings', 'no-such-file.json']),
  scene('resume of an unknown session', [], ['--resume', NOBODY]),
  scene('resume of something else', [], ['--resume', 'not-a-uuid']),
  scene('resume with a session id', [], ['--resume', SESSION, '--session-id', SESSION]),
  several(
    'a session id that is in use',
    [{ reply: say('Mine.') }],
    { args: ['--session-id', SESSION] },
    { args: ['--session-id', SESSION] },
  ),
  several(
    'resume after the end',
    [...turns({ attempt: 1 }, bash('echo hello'), say('Done.')), { reply: say('I remember.') }],
    { args: ['--session-id', SESSION] },
    AGAIN,
  ),
  several(
    'a fork of a session',
    [{ reply: say('Done.') }],
    { args: ['--session-id', SESSION] },
    { ...AGAIN, args: ['--resume', SESSION, '--fork-session', '--session-id', NOBODY] },
  ),
  several(
    'resume after 429 without end',
    [{ when: { attempt: 1 }, reply: rateLimited() }, { reply: say('I remember.') }],
    { args: ['--session-id', SESSION] },
    AGAIN,
  ),
  several(
    'resume after a budget is used up',
    [...turns({}, bash('echo one'), bash('echo two'), say('Cheap.'))],
    { args: ['--session-id', SESSION, '--max-budget-usd', '0.001'] },
    { ...AGAIN, args: ['--resume', SESSION, '--max-budget-usd', '0.01'] },
  ),
  {
    name: 'kill -9 in the middle of a tool, then resume',
    rules: [...turns({ attempt: 1 }, bash('echo hello'), bash(ENDLESS)), { reply: say('I remember.') }],
    async play(bench) {
      const first = bench.start({ args: ['--session-id', SESSION, ...ALLOW_ALL] })
      const transcript = bench.home.transcript(SESSION)
      // The client shows a message before it has written it down; what it has not written down it does not remember.
      await until('the second tool call is written down', () => written(transcript).includes('"$HOME\\\\"'))
      first.kill('SIGKILL')
      return [await first.ended, await bench.run(AGAIN)]
    },
  },
  {
    name: 'kill -9 before an answer, then resume',
    rules: [
      { when: { attempt: 1 }, reply: say('Never heard.', { fault: { kind: 'hang' } }) },
      { reply: say('I remember.') },
    ],
    async play(bench) {
      const first = bench.start({ args: ['--session-id', SESSION] })
      await until('the prompt is written down', () => written(bench.home.transcript(SESSION)).includes('"role":"user"'))
      await bench.model.waitFor(() => true)
      first.kill('SIGKILL')
      return [await first.ended, await bench.run(AGAIN)]
    },
  },
  signalled('TERM in the middle of a tool', 'SIGTERM', bash(ENDLESS)),
  signalled('INT in the middle of a tool', 'SIGINT', bash(ENDLESS)),
  signalled('TERM while the model thinks', 'SIGTERM', say('Never heard.', { fault: { kind: 'hang' } })),
  signalled('INT while the model thinks', 'SIGINT', say('Never heard.', { fault: { kind: 'hang' } })),
]

function scene(name: string, rules: RuleSource[], args: string[] = [], env: Record<string, string> = {}): Scene {
  return several(name, rules, { args, env })
}

/** Several processes, one after the other, in one home. */
function several(name: string, rules: RuleSource[], ...runs: Turn[]): Scene {
  return {
    name,
    rules,
    async play(bench) {
      const ended: Ended[] = []
      for (const turn of runs) ended.push(await bench.run(turn))
      return ended
    },
  }
}

function signalled(name: string, signal: NodeJS.Signals, reply: RuleSource['reply']): Scene {
  return {
    name,
    rules: [{ when: { attempt: 1 }, reply }, { reply: say('I remember.') }],
    async play(bench) {
      const first = bench.start({ args: ['--session-id', SESSION, ...ALLOW_ALL] })
      await bench.model.waitFor(() => true)
      if (reply.tools) await until('the tool runs', () => bench.running('sleep 0.1'))
      // To the client alone, as a person would: the command is not in its process group anyway.
      process.kill(first.pid, signal)
      return [await first.ended, await bench.run(AGAIN)]
    },
  }
}

function background(command: string): RuleSource['reply'] {
  return use(tool('Bash', { command, run_in_background: true, description: 'something long' }))
}

function written(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
