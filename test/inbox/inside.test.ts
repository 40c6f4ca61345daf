import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/contract/question.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { PROGRAM, type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { inboxOf, runIn } from './scene.ts'

const bash = (command: string, background = false) => ({
  name: 'Bash',
  input: { command, description: 'x', ...(background && { run_in_background: true }) },
})

/** It begins a script in the background, then asks for something: the script answers that. */
const CHEAT: RuleSource[] = [
  { when: { turn: 0 }, reply: { text: 'First this.', tools: [bash('sh cheat.sh', true)] } },
  { when: { turn: 1 }, reply: { text: 'Now that.', tools: [bash('touch made.txt')] } },
  { reply: { text: 'Fine.' } },
]

const UNSET = '-u CLAUDECODE -u REHOBOAM_RUN'

// One home for all of them: each agent has a directory of its own.
let home: TempHome
beforeAll(async () => {
  home = await tempHome({ client: 'either', scenario: CHEAT })
})
afterAll(() => home[Symbol.asyncDispose]())

test.for([
  ['that has only unset our marks', `env ${UNSET}`],
  [
    'that has unset all that names its session',
    `env ${UNSET} -u CLAUDE_CODE_SESSION_ID -u REHOBOAM_TOKEN -u CLAUDE_PID`,
  ],
  ['that has left its parents but not its environment', `env ${UNSET} setsid -f`],
] as const)(
  'an agent %s may not answer its own question, and the audit log shows it [inbox-agent-refused]',
  async ([name, before]) => {
    const typed = (words: string) => `${before} sh -c '"${process.execPath}" "${PROGRAM}" ${words}; echo $? >> codes'`
    const lines = [
      'until [ -s id ]; do sleep 0.1; done',
      typed('allow "$(cat id)" 2>> said'),
      typed('rules add allow Bash 2>> said'),
    ]
    const directory = join(home.project, name.replaceAll(' ', '-'))
    mkdirSync(directory)
    writeFileSync(join(directory, 'cheat.sh'), lines.join('\n'))
    const { asking } = await runIn(home, basename(directory), 'go', { allowedTools: 'Bash(sh cheat.sh)' })
    const { id, agent } = await asking()
    writeFileSync(join(directory, 'id'), id)
    const codes = join(directory, 'codes')
    await until(() => existsSync(codes) && readFileSync(codes, 'utf8') === '2\n2\n', 'both commands to be refused')
    expect(readFileSync(join(directory, 'said'), 'utf8')).toMatch(
      /allow may not be run from inside an agent \(this is process \d+ of agent /,
    )
    expect(await inboxOf(home)).toMatchObject([{ id }])
    expect(await home.daemon.ask({ path: '/v1/rules' })).toEqual([])
    const audit = await home.daemon.ask<AuditEntry[]>({ path: '/v1/inbox/audit' })
    const refused = audit.filter(entry => entry.what === 'refused' && entry.agent === agent)
    expect(refused.map(({ question }) => question).sort()).toEqual([id, null])
    expect(refused.every(({ by }) => by === 'agent')).toBe(true)
    expect((await home.rehoboam(['allow', id])).code).toBe(0)
    await until(() => existsSync(join(directory, 'made.txt')), 'the allowed command to have run')
  },
)

test('whoever does not show who it is decides nothing [inbox-agent-refused]', async () => {
  const body = { text: 'Bash', effect: 'allow', scope: { kind: 'always' }, face: 'cli' }
  for (const headers of [undefined, { 'x-rehoboam-peer': `${process.pid} 00000000-0000-4000-8000-000000000000` }]) {
    const ask = { method: 'POST' as const, path: '/v1/rules', body, ...(headers && { headers }) }
    await expect(home.daemon.ask(ask)).rejects.toMatchObject({ code: 'peer-unproven' })
  }
  const { key } = await home.daemon.ask<{ key: string }>({ method: 'POST', path: '/v1/peer', body: {} })
  const headers = { 'x-rehoboam-peer': `${process.pid} ${key}` }
  await expect(home.daemon.ask({ method: 'POST', path: '/v1/rules', body, headers })).rejects.toMatchObject({
    code: 'peer-unproven',
  })
  expect(await home.daemon.ask({ path: '/v1/rules' })).toEqual([])
})
