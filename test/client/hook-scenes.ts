import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bash, overloaded, rateLimited, say, tool, turns, use } from '../../src/rehearsal/replies.ts'
import type { Turn } from '../support/real-client.ts'
import { until } from '../support/until.ts'
import { given, type HookScene, heard, putSettings, withSettings } from './hook-scene.ts'
import { AGAIN, ALLOW_ALL, BEGIN, ENDLESS, LATE_MS, NOBODY, SESSION } from './scene.ts'

// What hooks are told. As in scenes.ts, each start of the real client is what it costs: much is in few scenes.

const TWO_TOOLS = turns(
  {},
  use(tool('Bash', { command: 'echo one', description: 'the first' }), tool('Bash', { command: 'echo two' })),
  say('Both.'),
)
const FREE: Turn = { args: ALLOW_ALL }

// biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it, not we
const PANE = '${PANE} $SECRET$UNSET a$b'
const HEADERS = {
  headers: { Authorization: 'Bearer $TOKEN', 'X-Pane': PANE },
  allowedEnvVars: ['TOKEN', 'PANE', 'UNSET'],
}

const TURN = [
  'UserPromptSubmit',
  ...['PreToolUse', 'PostToolUse', 'PreToolUse', 'PostToolUse', 'PostToolBatch'],
  ...['Stop', 'SessionEnd'],
]

export const told: HookScene[] = [
  { ...heard('a turn with two tools, by command hooks', 'command', TWO_TOOLS), events: ['SessionStart', ...TURN] },
  {
    ...heard(
      'a turn with two tools, by http hooks, with names from the environment in their headers',
      'http',
      TWO_TOOLS,
      {
        hook: HEADERS,
        turns: [{ env: { TOKEN: 'abc', PANE: '%7', SECRET: 'hidden' } }],
      },
    ),
    events: TURN,
  },
  heard(
    'tools that fail, calls that are wrong, a shell that moves',
    'command',
    turns(
      {},
      bash('mkdir sub; cd sub'),
      bash('echo out; exit 3'),
      use(tool('Read', { file_path: '{{cwd}}/missing.txt' })),
      use(tool('Bash', {})),
      use(tool('Write', { file_path: '{{cwd}}/a.txt', content: 'x' })),
      bash('cd /'),
      say('It failed.'),
    ),
    { turns: [FREE] },
  ),
  heard(
    'a rate limit, an overload, a key that is not good',
    'http',
    [{ times: 2, reply: rateLimited() }, { times: 2, reply: overloaded() }, { reply: { status: 401 } }],
    { turns: [{}, {}, {}] },
  ),
  heard('a session that goes on, a copy of it, and one that is not there', 'command', [{ reply: say('I remember.') }], {
    turns: [
      BEGIN,
      AGAIN,
      { ...AGAIN, args: ['--resume', SESSION, '--fork-session', '--effort', 'high'] },
      { args: ['--resume', NOBODY] },
    ],
  }),
  {
    name: 'a command in the background',
    rules: turns(
      {},
      use(
        tool('Bash', {
          command: 'until [ -e go ]; do sleep 0.05; done',
          run_in_background: true,
          description: 'something long',
        }),
      ),
      say('Waiting.'),
      say('It ended.'),
    ),
    async play(bench, hooks) {
      const client = bench.start(withSettings(FREE, hooks.settings('command')))
      await client.waitForLine(line => line.type === 'result', LATE_MS)
      writeFileSync(join(bench.home.cwd, 'go'), '')
      return [await client.ended]
    },
  },
  ...(['SIGTERM', 'SIGINT'] as const).map(
    (signal): HookScene => ({
      name: `${signal} while a tool runs`,
      rules: [{ reply: ENDLESS }],
      async play(bench, hooks) {
        const client = bench.start(withSettings(FREE, hooks.settings('command')))
        await until(() => bench.running('sleep 0.1'), 'the tool to run', LATE_MS)
        process.kill(client.pid, signal)
        return [await client.ended]
      },
    }),
  ),
  ...sources(),
  matchers(),
]

/** Who names a hook does not matter, except that all are silenced by whoever has the last word on it. */
function sources(): HookScene[] {
  const rules = turns({}, bash('echo hi'), say('Done.'))
  const from = (name: string, where: Record<string, object>, flags: Turn = {}): HookScene => ({
    name,
    rules,
    async play(bench, hooks) {
      const all = (by: string) => {
        const each = (event: string) => [{ hooks: [hooks.command(event, by), hooks.command(event, 'same')] }]
        return { hooks: { PreToolUse: each('PreToolUse'), Stop: each('Stop') }, ...where[by] }
      }
      for (const place of ['user', 'project', 'local'] as const) putSettings(bench, place, all(place))
      const file = join(bench.home.home, 'flag.json')
      writeFileSync(file, JSON.stringify(all('flag')))
      return [await bench.run({ ...flags, args: ['--settings', file, ...(flags.args ?? [])] })]
    },
  })
  const off = { disableAllHooks: true }
  return [
    from('hooks of the user, the project and the command line, one of them named by all', {}),
    from('hooks that the user switched off and the project on again', { user: off, local: { disableAllHooks: false } }),
    from('hooks that the command line switches off', { project: { disableAllHooks: false }, flag: off }),
    from('hooks of the user alone', {}, { args: ['--setting-sources', 'user'] }),
  ]
}

function matchers(): HookScene {
  const tools = ['', '*', 'Bash', 'bash', 'Bas', 'B.*', '^Ba', 'Bash|Write', 'Write|Read', 'Bash, Write', ' Bash ']
  const odd = ['Ba.h', '(', 'Bash|Wri', 'Bash|Wr.*', '^(Bash)$', 'Bash(echo *)', 'Wri?te']
  const subjects: Record<string, string[]> = {
    SessionStart: ['startup', 'resume', 'startup|resume', 'start', 'st.*', ''],
    UserPromptSubmit: ['anything'],
    PreToolUse: [...tools, ...odd],
    PermissionRequest: ['Write', 'Bash', ''],
    PostToolUse: ['Write', 'Bash'],
    PostToolBatch: ['Read'],
    Stop: ['anything'],
    SessionEnd: ['other', 'oth', 'clear'],
  }
  const write = use(tool('Write', { file_path: '{{cwd}}/a.txt', content: 'x' }))
  return given('matchers of every kind', turns({}, bash('echo hi'), write, say('Done.')), hooks => {
    const groups = (event: string) =>
      subjects[event]!.map(matcher => ({ matcher, hooks: [hooks.command(event, `<${matcher}>`)] }))
    return { hooks: Object.fromEntries(Object.keys(subjects).map(event => [event, groups(event)])) }
  })
}
