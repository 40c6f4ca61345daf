import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startModel } from './model.ts'
import type { RuleSource } from './scenario.ts'

type Env = Record<string, string | undefined>

/** Everything that a demo needs and nothing of its user's: a repository, a home, a model. */
export async function openStage(env: Env) {
  const directory = mkdtempSync(join(tmpdir(), 'rehoboam-demo-'))
  const [project, home, userHome] = ['shop', 'state', 'home'].map(name => join(directory, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [project, userHome]) mkdirSync(path)
  const git = (...words: string[]) =>
    execFileSync('git', words, { cwd: project, encoding: 'utf8', env: gitEnv(userHome, env) })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text)
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'A cart that adds up wrong')
  const model = await startModel(SCENARIO)
  return {
    directory,
    project,
    home,
    env: clientEnv(env, userHome, model.url),
    request: {
      request: randomUUID(),
      prompt: 'The test of the cart fails. Find out why, mend it, and run the test again.',
      directory: project,
      flags: { permissionMode: 'acceptEdits', allowedTools: 'Bash' },
      arguments: [],
      loop: null,
      quest: null,
    },
    diff: () => git('diff', '--stat') + git('diff', '--unified=1'),
    test: () => ({ passes: passes(project) }),
    async close(keep: boolean) {
      await model.close()
      if (!keep) rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

const FILES = {
  'cart.mjs': `export function total(items) {
  return items.reduce((sum, item) => sum + item.price, 0)
}
`,
  'cart.test.mjs': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from './cart.mjs'

test('two of one thing cost twice as much', () => {
  assert.equal(total([{ price: 5, count: 2 }]), 10)
})
`,
}

const say = (turn: number, text: string, ...tools: { name: string; input: Record<string, string> }[]): RuleSource => ({
  when: { role: 'session', turn },
  reply: { text, tools, pace: { chars: 24, delayMs: 15 } },
})

const SCENARIO: RuleSource[] = [
  say(
    0,
    'I look at the code and run the test, both at once.',
    { name: 'Read', input: { file_path: '{{cwd}}/cart.mjs' } },
    {
      name: 'Bash',
      input: {
        command: 'node --test 2>&1 | grep -E "^# (pass|fail)|expected|actual" | head',
        description: 'Run the test',
      },
    },
  ),
  say(1, 'The count of an item is ignored. I multiply by it.', {
    name: 'Edit',
    input: {
      file_path: '{{cwd}}/cart.mjs',
      old_string: 'sum + item.price',
      new_string: 'sum + item.price * item.count',
    },
  }),
  say(2, 'Now the test again.', { name: 'Bash', input: { command: 'node --test', description: 'Run the test again' } }),
  say(3, 'The cart multiplies each price by its count now, and the test passes.'),
]

/** A home of its own and a key that opens nothing: the real client neither finds an account nor looks for one. */
function clientEnv(env: Env, userHome: string, url: string): Env {
  const { PATH, LANG, TERM, SHELL, TMPDIR } = env
  return {
    ...{ PATH, LANG, TERM, SHELL, TMPDIR },
    HOME: userHome,
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'rehearsal',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }
}

function gitEnv(userHome: string, env: Env): Record<string, string> {
  const name = { GIT_AUTHOR_NAME: 'demo', GIT_COMMITTER_NAME: 'demo' }
  const mail = { GIT_AUTHOR_EMAIL: 'demo@localhost', GIT_COMMITTER_EMAIL: 'demo@localhost' }
  return { PATH: env.PATH ?? '', HOME: userHome, GIT_CONFIG_NOSYSTEM: '1', ...name, ...mail }
}

function passes(project: string): boolean {
  try {
    execFileSync(process.execPath, ['--test'], { cwd: project, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
