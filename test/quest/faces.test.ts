import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { bash, say } from '../../src/rehearsal/replies.ts'
import type { RuleSource } from '../../src/rehearsal/scenario.ts'
import { onTerminal } from '../cli/terminal.ts'
import { projectIn } from '../pool/projects.ts'
import { writeScript } from '../session/runs.ts'
import { type TempHome, tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { begins, complete, plans, plays, questionOn, signals, simply } from './story.ts'

const MODE = ['--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash']

// One home for all: each test has a directory of its own, and the rules of the model from its beginning on.
let home: TempHome
beforeAll(async () => {
  home = await tempHome()
})
afterAll(() => home[Symbol.asyncDispose]())

test('quest --wait and every command that looks at a quest tell what its roles did [cli-quest] [cli-quest-wait] [cli-quest-look]', async () => {
  const steps = [{ id: 'model' }, { id: 'parse', dependsOn: ['model'] }]
  const project = projectOf('looks', [...begins(steps), ...simply(['model', 'parse'])])
  const request = ['quest', 'Make all the parts', '--dir', project, ...MODE]
  const waited = await home.rehoboam([...request, '--ward', 'test -e README.md', '--wait'])
  expect(waited).toMatchObject({ code: 0 })
  const [, run = ''] = waited.out.match(/^quest (\w+) in /m) ?? []
  for (const line of [
    `quest ${run} in ${project}`,
    'what was there before: the checks are green',
    'chaoswhisperer on requirements: begins',
    '1 requirement: whole',
    'pathseeker on plan: signals complete',
    'planned: model, parse',
    'codeweaver on model: signals complete',
    'model: the checks are green',
    'parse: merged',
    'lawbringer on review: signals complete',
  ]) {
    expect(waited.out.split('\n')).toContain(line)
  }
  expect(waited.out).toMatch(/^parse +complete +3? *2 .*The part parse$/m)
  expect(waited.out).toMatch(/^cost: chaoswhisperer \$0\.\d+, /m)
  expect(waited.out).toMatch(
    new RegExp(`complete, proven: .*; rehoboam diff ${run} shows it, rehoboam merge ${run} brings`),
  )

  const shown = await home.rehoboam(['show', run])
  expect(shown.out).toMatch(/^steps +2 of 2 in, 0 under way$/m)
  expect(shown.out).toMatch(/^slots +0 of 3 busy$/m)
  expect(shown.out).toMatch(new RegExp(`^ +${run}\\.s\\d+ +siegemaster +parse +complete `, 'm'))
  expect((await home.rehoboam(['runs'])).out).toMatch(new RegExp(`${run} +quest +complete 2/2, proven `))
  const plan = await home.rehoboam(['plan', run])
  expect(plan.out).toContain('  whole\n    given a project\n    when  whole is asked for\n    then  whole is there\n')
  expect(plan.out).toContain('  parse: The part parse  [complete]\n    after  model\n    Do the part parse\n')
  const known = JSON.parse((await home.rehoboam(['plan', run, '--json'])).out)
  expect([known.id, known.steps.map(({ id }: { id: string }) => id)]).toEqual([run, ['model', 'parse']])
  const logged = await home.rehoboam(['logs', run])
  expect(logged.out).toContain('siegemaster on parse: begins\n')
  const session = (await detail(home, run)).quest!.sessions.find(({ role }) => role === 'codeweaver')!
  expect((await home.rehoboam(['logs', session.run])).out).toContain('echo model > model.txt')
  expect((await home.rehoboam(['diff', run, '--stat'])).out).toContain('parse.txt')
  expect(await home.rehoboam(['merge', run])).toMatchObject({
    code: 0,
    out: expect.stringContaining('2 files changed'),
  })
})

test('a person edits and approves the plan of a quest, and retries and skips its steps [cli-quest-steps] [cli-quest-plan] [role-quest]', async () => {
  const steps = [{ id: 'one' }, { id: 'two', dependsOn: ['one'] }, { id: 'side' }]
  const asks = signals({ signal: 'needs-user-input', question: 'Blue or green?', context: '' }, 'one')
  const project = projectOf('steps', [
    ...plays('pathseeker', 'plan', 1, bash('echo x > notes.md'), plans(steps), complete('plan')),
    ...begins(steps),
    ...plays('codeweaver', 'one', 1, asks),
    ...plays('codeweaver', 'extra', null, bash('echo extra > extra.txt'), complete('extra')),
    ...simply(['one', 'two', 'side', 'extra']),
  ])
  const request = ['quest', 'Make them', '--dir', project, ...MODE, '--no-ward', '--approve-plan']
  const { out, code } = await home.rehoboam([...request, '--json'])
  const run: string = JSON.parse(out).id
  expect(code).toBe(0)
  const { id: question } = await questionOn(home, run, 'plan')
  const planner = home.model.asked.findLast(({ line }) => line.role === 'pathseeker' && line.run?.startsWith(run))
  expect(JSON.stringify(planner?.messages)).toContain('You are the pathseeker: you read, and change nothing')
  const plan = await home.rehoboam(['plan', run])
  expect(plan.err).toContain(`rehoboam allow ${question.slice(0, 8)} approves`)

  // A circle first, which is refused into the editor; then it is mended.
  const editor = writeScript(
    join(home.root, 'editor'),
    `if grep -q "^# Not taken: .*extra" "$1"; then sed -i "s/^after: extra,one/after: one/" "$1"
else sed -i "/^## side/,\\$d" "$1"; printf '## extra: One more\\nafter: extra,one\\nfiles: extra.txt\\n\\nMake it.\\n' >> "$1"; fi`,
  )
  const edited = await onTerminal(home, ['plan', run, '--edit'], { EDITOR: editor })
  expect(edited.screen).toContain('extra: One more')
  const planned = (await detail(home, run)).quest!.steps
  expect(planned.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'one pending',
    'two pending',
    'side dropped',
    'extra pending',
  ])
  expect(await home.rehoboam(['plan', run, '--edit'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('set EDITOR'),
  })

  expect((await home.rehoboam(['allow', question.slice(0, 8)])).code).toBe(0)
  await questionOn(home, run, 'one')
  expect((await home.rehoboam(['show', run])).out).toMatch(/one: .*Blue or green\?.*\(rehoboam answer [0-9a-f]{8}\)/)
  expect(await home.rehoboam(['retry', run, 'nowhere'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no step "nowhere"'),
  })
  expect((await home.rehoboam(['skip', run, 'two'])).out).toBe(`run ${run}: left out: two\n`)
  expect((await home.rehoboam(['retry', run, 'one'])).out).toBe(`run ${run}: one is tried again\n`)
  await until(async () => (await detail(home, run)).endedAt !== null, 'the quest to end')
  const end = await detail(home, run)
  expect(end.quest!.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
    'one complete',
    'two skipped',
    'side dropped',
    'extra complete',
  ])
  expect(await home.rehoboam(['skip', run, 'one'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('has ended'),
  })
})

test('on a terminal --wait draws the steps below what it tells, and leaves the screen whole [cli-quest-wait]', async () => {
  const held = say('Thinking.', { fault: { kind: 'hang', name: 'held' } })
  const project = projectOf('picture', [
    ...begins([{ id: 'model' }, { id: 'parse', dependsOn: ['model'] }]),
    { when: { role: 'siegemaster', step: 'model', turn: 0 }, times: 1, reply: { ...held, ...complete('model') } },
    ...simply(['model', 'parse']),
  ])
  const root = join(home.root, 'terminal')
  mkdirSync(root)
  const running = onTerminal({ ...home, root, project }, ['quest', 'Make them', ...MODE, '--no-ward', '--wait'])
  await until(() => /● model +siegemaster at work, slot 1/.test(written(root)), 'the picture to be drawn')
  await until(() => home.model.release('held') > 0, 'the Siegemaster to be held')
  const { bytes, screen } = await running
  expect(bytes).toContain('○ parse')
  // Each is taken back before the next one.
  const erased = bytes.split(`A\r${ESC}[J`).length - 1
  expect(erased).toBeGreaterThanOrEqual(bytes.match(/slots \d\/3/g)!.length)
  expect(screen).not.toMatch(/slots \d\/3/)
  expect(screen).toMatch(/parse +complete/)
})

const ESC = '\u001b'

function written(root: string): string {
  const file = readdirSync(root).find(name => name.endsWith('.bytes'))
  return file ? readFileSync(join(root, file), 'utf8') : ''
}

test('what cannot be a quest is refused before there is one [cli-quest]', async () => {
  const project = projectOf('refused', [])
  const before = home.runs()
  const refusal = async (...args: string[]) => {
    const { code, err } = await home.rehoboam(['quest', ...args, '--dir', project])
    return `${code} ${err}`
  }
  expect(await refusal()).toMatch(/^2 rehoboam: there is no request; rehoboam quest "<what you want>"/)
  expect(await refusal('one', 'two')).toMatch(/^2 rehoboam: "two" is not understood; put the whole request in quotes/)
  expect(await refusal('x', '--slots', '0', '--no-ward')).toMatch(/^2 .*slots/s)
  writeFileSync(join(project, 'new.txt'), 'x')
  expect(await refusal('x', '--no-ward')).toMatch(/^2 .*new\.txt; git commit, or --yes/s)
  expect(home.runs()).toEqual(before)
  expect(await home.rehoboam(['plan', 'zzzzzzzz'])).toMatchObject({ code: 2 })
})

function projectOf(name: string, scenario: RuleSource[]): string {
  home.model.replaceRules(scenario)
  return projectIn(home, name)
}

function detail(home: TempHome, run: string): Promise<RunDetail> {
  return home.daemon.ask<RunDetail>({ path: `/v1/runs/${run}` })
}
