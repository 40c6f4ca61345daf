import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bash } from '../../src/rehearsal/replies.ts'
import { onTerminal } from '../cli/terminal.ts'
import { theirs } from '../pool/projects.ts'
import { writeScript } from '../session/runs.ts'
import { kill } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { ASKS, branchesOf, expectCancelled, handsHome, hangs, untilSessionsGone } from './hands.ts'
import { begins, plays, questionOn, rests, shown, simply, untilStep } from './story.ts'

const STEPS = [{ id: 'one' }, { id: 'two', dependsOn: ['one'] }, { id: 'side' }, { id: 'gone' }]
const SCENARIO = [
  ...begins(STEPS),
  ...[hangs('one', 1), hangs('one', 2), hangs('side', 1), hangs('side', 2), hangs('side', 3), hangs('two', 1)],
  ...plays('codeweaver', 'one', 3, bash('echo begun > begun.txt'), ASKS),
  ...simply(['one', 'two', 'side']),
]

const HEARS_NO_TERM_ON_SIDE = `case "$PWD" in *.side) trap '' TERM ;; esac`

test('every command for a quest does what it says the moment after the daemon was killed [quest-by-hand] [quest-tell] [quest-cancel]', async () => {
  await using home = await handsHome(SCENARIO, HEARS_NO_TERM_ON_SIDE)
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
  await untilSessionsGone(home)
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
  await expectCancelled(home, run, ['README.md', 'begun.txt', 'one.txt', 'side.txt'])

  // It goes on where it was.
  await typed('resume', run)
  expect(await rests(home, run)).toMatchObject({ status: 'complete', proven: true })
  expect(branchesOf(home)).toEqual([`rehoboam/${run}`])
  expect(theirs(home.project)).toEqual(before)
}, 1_500_000)
