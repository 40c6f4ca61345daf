import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bash, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import { until } from '../support/until.ts'
import { echo, given, type HookScene, heard, PERMISSION, PRE, shell } from './hook-scene.ts'
import { ALLOW_ALL, LATE_MS } from './scene.ts'

// What a client does with what its hooks say.

const write = (name: string) => use(tool('Write', { file_path: `{{cwd}}/${name}`, content: 'x' }))
const ALLOW = PERMISSION({ behavior: 'allow' })
const DENY = PERMISSION({ behavior: 'deny' })
const BLOCK = { decision: 'block', reason: 'there is more' }
const deny = (reason: string) => PRE({ permissionDecision: 'deny', permissionDecisionReason: reason })
const allow = (reason: string) => PRE({ permissionDecision: 'allow', permissionDecisionReason: reason })
// Hooks run side by side, and a busy machine starts and ends them in any order. One that must be first writes down its pid;
// the next one waits until that process is gone, which it is when the client has seen its end.
const first = (path: string) => `echo $$ > ${path}`
const after = (path: string) =>
  `until [ -s ${path} ] && ! kill -0 $(cat ${path}) 2>/dev/null; do sleep 0.05; done; rm ${path}`
const NEVER = 'while [ -d "$HOME" ]; do sleep 0.1; done'
const NOWHERE = 'http://127.0.0.1:1/hook'

const permissions: HookScene[] = [
  heard(
    'permissions that are given, refused with and without a word, and left open',
    'command',
    turns(
      {},
      bash('node -e 1'),
      bash('touch a.txt'),
      bash('touch /var/tmp/rehoboam-never'),
      write('b.txt'),
      use(tool('Read', { file_path: '/etc/hostname' })),
      bash('npm test -- --all'),
      say('Some of it.'),
    ),
    {
      answers: {
        PermissionRequest: [
          ALLOW,
          ALLOW,
          DENY,
          PERMISSION({ behavior: 'deny', message: 'not today' }),
          {},
          { talk: 1 },
        ],
      },
    },
  ),
  {
    name: 'a permission that takes its time',
    rules: turns({}, write('late.txt'), say('At last.')),
    async play(bench, hooks) {
      const go = join(bench.home.home, 'go')
      const slow = `until [ -e ${go} ]; do sleep 0.05; done; ${echo(ALLOW)}`
      const settings = { hooks: { ...hooks.settings('command', ['Stop']).hooks, ...shell('PermissionRequest', slow) } }
      const client = bench.start({ args: ['--settings', JSON.stringify(settings)] })
      await until(() => bench.running('until ['), 'the hook to wait', LATE_MS)
      if (existsSync(join(bench.home.cwd, 'late.txt')))
        throw new Error('the file was written before anybody allowed it')
      writeFileSync(go, '')
      return [await client.ended]
    },
  },
  given(
    'two that decide about a permission: the first to come, and who has no opinion does not count',
    turns({}, write('a.txt'), write('b.txt'), say('Ok.')),
    (_, bench) => {
      const silent = join(bench.home.home, 'silent')
      return {
        hooks: shell('PermissionRequest', first(silent), `${after(silent)}; ${echo(ALLOW)}`, `${NEVER}; ${echo(DENY)}`),
      }
    },
  ),
  given('a permission with another input than was asked for', turns({}, write('a.txt'), say('Ok.')), (_, bench) => ({
    hooks: shell(
      'PermissionRequest',
      echo(PERMISSION({ behavior: 'allow', updatedInput: { file_path: join(bench.home.cwd, 'c.txt'), content: 'z' } })),
    ),
  })),
  heard('a mode in which nobody is asked', 'command', turns({}, write('a.txt'), say('No.')), {
    turns: [{ args: ['--permission-mode', 'dontAsk'] }],
    answers: { PermissionRequest: [ALLOW] },
  }),
]

const tools: HookScene[] = [
  heard(
    'tools that hooks refuse, allow, change, or want somebody to be asked about',
    'http',
    turns(
      {},
      bash('echo 1'),
      write('a.txt'),
      bash('echo 2'),
      bash('echo 3'),
      write('b.txt'),
      bash('echo 4'),
      say('Ok.'),
    ),
    {
      answers: {
        PreToolUse: [
          deny('never that'),
          allow('sure'),
          PRE({ updatedInput: { command: 'echo changed' } }),
          PRE({ permissionDecision: 'ask', permissionDecisionReason: 'who knows' }),
          PRE({ permissionDecision: 'ask', permissionDecisionReason: 'who knows' }),
          { decision: 'block', reason: 'the old way' },
        ],
      },
    },
  ),
  given(
    'several opinions of one tool: the strictest counts, the last of equals',
    turns({}, bash('echo 1'), say('Ok.')),
    (_, bench) => {
      const [early, late] = [join(bench.home.home, 'early'), join(bench.home.home, 'late')]
      return {
        hooks: shell(
          'PreToolUse',
          `${after(early)}; ${first(late)}; ${echo(deny('late'))}`,
          `${first(early)}; ${echo(deny('early'))}`,
          `${after(late)}; ${echo(allow('fine'))}`,
        ),
      }
    },
  ),
  given('hooks that fail, object, and talk', turns({}, bash('echo 1'), bash('echo 2'), say('Ok.')), () => ({
    hooks: shell('PreToolUse', 'echo err >&2; exit 1', 'no-such-program', 'echo hello', 'exec 0<&-; echo "{not json"'),
  })),
  given('a hook that objects by its exit code', turns({}, bash('echo 1'), say('Ok.')), () => ({
    hooks: {
      ...shell('PreToolUse', 'echo err >&2; exit 2'),
      // Without a time of its own it is cut off after 1.5 s, which a busy machine needs for a shell alone.
      ...shell('SessionEnd', ['echo oops >&2; exit 1', { timeout: 60 }]),
    },
  })),
]

const stops: HookScene[] = [
  heard('a stop that is not wanted yet', 'http', [{ times: 1, reply: say('Done.') }, { reply: say('Really done.') }], {
    answers: { Stop: [BLOCK] },
  }),
  given(
    'a stop that two do not want, one of them by its exit code',
    [{ times: 1, reply: say('Done.') }, { reply: say('Really done.') }],
    (_, bench) => {
      const { home } = bench.home
      const once = (n: number) => `[ -e ${home}/once${n} ] || { touch ${home}/once${n};`
      return {
        hooks: shell(
          'Stop',
          `${first(`${home}/one`)}; ${once(1)} ${echo(BLOCK)}; }`,
          `${after(`${home}/one`)}; ${once(2)} echo why >&2; exit 2; }`,
        ),
      }
    },
  ),
]

const silence: HookScene[] = [
  given(
    'receivers that are down: tools run, permissions are refused, the end is told on stderr',
    turns({}, bash('echo 1'), bash('echo 2'), write('a.txt'), say('Ok.')),
    hooks => hooks.settings('http', undefined, { url: NOWHERE }) as Record<string, unknown>,
  ),
  given('hooks that take too long', turns({}, bash('echo 1'), write('a.txt'), say('Ok.')), () => ({
    hooks: {
      ...shell('PreToolUse', ['sleep 20', { timeout: 0.2 }]),
      ...shell('PermissionRequest', ['sleep 20', { timeout: 0.2 }]),
      ...shell('SessionStart', ['sleep 20', { timeout: 0.2 }], 'echo hello', 'exit 1'),
      ...shell('SessionEnd', 'sleep 20'),
    },
  })),
  {
    name: 'asynchronous hooks, whose answer nobody waits for, and which end with the session',
    rules: turns({}, bash('echo 1'), say('Ok.')),
    async play(bench, hooks) {
      const ended = join(bench.home.home, 'ended')
      const slow = `trap 'echo > ${ended}; exit' TERM; echo > ${ended}.begun; sleep 20 & wait`
      const settings = {
        hooks: {
          ...hooks.settings('command', ['PostToolUse', 'Stop']).hooks,
          ...shell('UserPromptSubmit', [slow, { async: true }]),
          ...shell(
            'PreToolUse',
            [`until [ -e ${ended}.begun ]; do sleep 0.05; done`, {}],
            [echo(deny('unheard')), { async: true }],
          ),
        },
      }
      const process = await bench.run({ args: ['--settings', JSON.stringify(settings), ...ALLOW_ALL] })
      await until(() => existsSync(ended), 'the asynchronous hook to be ended')
      return [process]
    },
  },
]

export const answered: HookScene[] = [...permissions, ...tools, ...stops, ...silence]
