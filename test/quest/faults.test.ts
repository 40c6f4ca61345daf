import { expect, test } from 'vitest'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { git, gitProject } from '../loop/projects.ts'
import { scriptClient } from '../session/runs.ts'
import { PUPPET, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { signalAs } from './signal-as.ts'
import { answered, begins, questionOn, rests, shown, simply, startQuest, untilStep } from './story.ts'

const STEPS = ['noisy', 'deaf', 'brittle']
const SCENARIO = [...begins(STEPS.map(id => ({ id }))), ...simply(STEPS)]

/** A client with the faults of its step; it is known by its worktree. */
const FAULTY = `case "$PWD" in
*.noisy) printf 'hello\\n{"type":"result"\\n[1]\\n\\001\\377\\033[2J\\nnull\\n{"type":"assistant","message":7}\\n'
  head -c 50000000 /dev/zero | tr '\\0' x; echo; exec '${PUPPET}' "$@" ;;
*.deaf) trap '' TERM; (trap '' TERM; setsid sleep 3000) & '${PUPPET}' "$@"; while :; do sleep 0.2; done ;;
*.brittle) echo x >> "$TRIES"; [ "$(wc -l < "$TRIES")" -gt 4 ] && exec '${PUPPET}' "$@"; kill -9 $$ ;;
*) exec '${PUPPET}' "$@" ;;
esac`

test('garbage and a line of 50 MB are passed over, what hears no TERM is ended, the brittle goes on, then to the inbox; nothing is lost or left running [quest-faults]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  gitProject(home.project, { 'README.md': 'hello\n' })
  home.env.TRIES = `${home.root}/tries`
  home.env.REHOBOAM_CLAUDE = scriptClient(home, 'faulty-client', FAULTY)
  const flags = { slots: '3', 'session.endGraceSec': '1', 'session.crashRetries': '1' }
  const run = await startQuest(home, { ward: ['true'], flags })
  const sessionsOf = async (step: string, role = 'codeweaver') =>
    (await shown(home, run)).quest!.sessions.filter(one => one.step === step && one.role === role)

  // Those that nothing is wrong with but their noise are in, whatever becomes of the others.
  for (const step of ['noisy', 'deaf']) {
    await untilStep(home, run, step, 'complete')
    expect((await sessionsOf(step)).map(({ how }) => how)).toEqual(['complete'])
  }

  // Cut off: resumed as often as configured, then a fresh session, which is resumed too, then a person.
  await untilStep(home, run, 'brittle', 'asking')
  expect((await sessionsOf('brittle')).map(({ how }) => how)).toEqual(['crashed', 'crashed'])
  const brittle = await questionOn(home, run, 'brittle')
  expect(brittle).toMatchObject({ kind: 'crash', text: expect.stringContaining('cut off again and again') })

  expect((await rests(home, run)).status).toBe('blocked')
  await until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
  const [cut] = await sessionsOf('brittle')
  const late = { signal: 'complete', stepId: 'brittle', summary: 'done' }
  expect(await signalAs(home, cut!.id, late)).toMatch(/^refused: .*your session has ended/)

  await answered(home, run, brittle, 'There is more memory now.')
  expect(await rests(home, run)).toMatchObject({ status: 'complete', proven: true })
  // In place of the brittle session there is a fresh one with the answer.
  expect((await sessionsOf('brittle')).map(({ how }) => how)).toEqual(['crashed', 'crashed', 'complete'])
  const told = await home.model.waitFor(({ line }) => line.step === 'brittle' && line.role === 'codeweaver')
  expect(told.prompt).toContain('There is more memory now.')
  const files = git(home.project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`).trim().split('\n')
  expect(files).toEqual(['README.md', ...STEPS.map(id => `${id}.txt`)].sort())
  await until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
}, 1_500_000)
