import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say } from '../../src/rehearsal/lines.ts'
import { onTerminal } from '../cli/terminal.ts'
import { sessionProcessesOf } from '../daemon/processes.ts'
import { git, gitProject } from '../loop/projects.ts'
import { theirs } from '../pool/projects.ts'
import { scriptClient, writeScript } from '../session/runs.ts'
import { kill, PUPPET, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { begins, plays, questionOn, rests, shown, signals, simply, untilStep } from './story.ts'

const STEPS = [{ id: 'one' }, { id: 'two', dependsOn: ['one'] }, { id: 'side' }, { id: 'gone' }]
const hangs = (step: string, attempt: number) => ({
  when: { role: 'codeweaver', step, attempt, turn: 0 },
  reply: say('', { fault: { kind: 'hang' as const } }),
})
const ASKS = signals({ signal: 'needs-user-input', question: 'Blue or green?', context: '' }, 'one')

const SCENARIO = [
  ...begins(STEPS),
  ...[hangs('one', 1), hangs('one', 2), hangs('side', 1), hangs('side', 2), hangs('side', 3), hangs('two', 1)],
  ...plays('codeweaver', 'one', 3, bash('echo begun > begun.txt'), ASKS),
  ...simply(['one', 'two', 'side']),
]

/** Hears no TERM on one step, and has its key from elsewhere: what it needs is not lost with a daemon. */
const CLIENT = `export ANTHROPIC_API_KEY=rehearsal IS_SANDBOX=1
case "$PWD" in *.side) trap '' TERM ;; esac
exec '${PUPPET}' "$@"`

test('approve, edit, tell, pause, resume, answer, skip, retry and cancel do what they say, each typed the moment after the daemon was killed [quest-by-hand] [quest-tell] [quest-cancel]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  delete home.env.ANTHROPIC_API_KEY
  home.env.REHOBOAM_CLAUDE = scriptClient(home, 'client', CLIENT)
  gitProject(home.project, { 'README.md': 'hello\n' })
  const before = theirs(home.project)
  const killDaemon = () => {
    const pid = home.daemonPid()
    if (pid) kill(pid)
  }
  // A supervisor gives up on a daemon that dies so often: then whoever comes next starts it.
  const killAndReturn = () => {
    killDaemon()
    return home.daemon.ready()
  }
  const typed = async (...args: string[]) => {
    killDaemon()
    const ended = await home.rehoboam(args)
    expect(ended).toMatchObject({ code: 0 })
    return ended.out
  }
  const asked = (step: string, attempt: number) =>
    home.model.waitFor(({ line }) => line.role === 'codeweaver' && line.step === step && line.attempt === `${attempt}`)
  const request = ['quest', 'Make them', '--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash']
  home.env.REHOBOAM_SESSION_END_GRACE_SEC = '3'
  const run = (await typed(...request, '--ward', 'true', '--approve-plan')).trim()
  const post = (what: string) =>
    home.daemon.ask({ method: 'POST', path: `/v1/runs/${run}/${what}`, body: { text: null, environment: home.env } })

  // The plan waits for its yes, edited.
  await untilStep(home, run, 'plan', 'asking')
  const plan = await questionOn(home, run, 'plan')
  killDaemon()
  const editor = writeScript(join(home.root, 'editor'), `sed -i '/^## gone/,$d' "$1"`)
  expect((await onTerminal(home, ['plan', run, '--edit'], { EDITOR: editor })).screen).toContain('two')
  await typed('allow', plan.id)
  for (const step of ['one', 'side']) await asked(step, 1)
  expect((await shown(home, run)).quest!.steps.find(({ id }) => id === 'gone')).toMatchObject({ status: 'dropped' })

  // Paused and resumed in one breath, while one of them is still being ended: both go on.
  expect(await typed('tell', run, 'Use tabs')).toBe(`run ${run} will be told at its next turn\n`)
  await post('pause')
  await post('resume')
  for (const step of ['one', 'side']) expect((await asked(step, 2)).prompt).toContain('Use tabs')
  await until(async () => (await shown(home, run)).status === 'active', 'the quest to be active')

  // Paused: nothing runs. Resumed: the same sessions.
  const sessions = (await shown(home, run)).quest!.sessions.map(({ id }) => id)
  await typed('pause', run)
  await killAndReturn()
  await until(() => sessionProcessesOf(home).length === 0, 'sessions to be ended')
  expect(await rests(home, run)).toMatchObject({ status: 'paused', cause: 'paused-by-user' })
  await typed('resume', run, 'And be quick')
  await killAndReturn()
  for (const step of ['one', 'side']) expect((await asked(step, 3)).prompt).toContain('And be quick')
  expect((await shown(home, run)).quest!.sessions.map(({ id }) => id)).toEqual(sessions)

  // What is said while nobody is there to hear it comes with the answer.
  const question = await questionOn(home, run, 'one')
  await typed('tell', run, 'Prefer blue')
  await typed('answer', question.id, 'Green.')
  const { prompt } = await asked('one', 4)
  expect(prompt).toMatch(/Green\.[\s\S]*Prefer blue/)
  expect(prompt).not.toContain('Use tabs')

  // Left out while somebody works on it, and taken in again: everything that was said is in its first prompt.
  expect(await typed('skip', run, 'side')).toBe(`run ${run}: left out: side\n`)
  await untilStep(home, run, 'side', 'skipped')
  await until(async () => (await shown(home, run)).quest!.slots.every(step => step !== 'side'), 'its slot to be free')
  expect(await typed('retry', run, 'side')).toBe(`run ${run}: side is tried again\n`)
  const anew = await asked('side', 4)
  for (const text of ['Use tabs', 'And be quick', 'Prefer blue']) expect(anew.prompt).toContain(text)
  await untilStep(home, run, 'side', 'complete')

  // Cancelled: no process and no worktree that is thrown away; what is in stays in, what is not is on its branch.
  await asked('two', 1)
  await typed('cancel', run)
  await killAndReturn()
  expect(await rests(home, run)).toMatchObject({ status: 'cancelled', cause: 'cancelled' })
  await until(() => sessionProcessesOf(home).length === 0, 'everything of its sessions to be gone')
  const worktrees = () => readdirSync(join(home.home, 'worktrees')).filter(name => !name.endsWith('.json'))
  await until(() => worktrees().every(name => !/-s\d+$/.test(name)), 'disposable worktrees to be gone')
  const branches = () => git(home.project, 'branch', '--list', '--format=%(refname:short)', 'rehoboam*').split('\n')
  expect(branches().filter(Boolean)).toEqual([`rehoboam-work/${run}/two`, `rehoboam/${run}`])
  expect(git(home.project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`)).toBe(
    'README.md\nbegun.txt\none.txt\nside.txt\n',
  )

  // It goes on where it was.
  await typed('resume', run)
  expect(await rests(home, run)).toMatchObject({ status: 'complete', proven: true })
  expect(branches().filter(Boolean)).toEqual([`rehoboam/${run}`])
  expect(theirs(home.project)).toEqual(before)
}, 1_500_000)
