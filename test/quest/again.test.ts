import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { bash, say, turns } from '../../src/rehearsal/replies.ts'
import { git, gitProject } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import {
  answered,
  begins,
  complete,
  plans,
  plays,
  questionOn,
  rests,
  shown,
  signals,
  simply,
  startQuest,
} from './story.ts'

const AUDITOR = `---
description: reads the licences
may-signal: complete
---
You read the licences of what was added.
`
const ASKS = { signal: 'needs-role-followup' as const, reason: 'read the licences', context: '', resume: true }
const DEAR = { usage: { input: 1_000_000, output: 20 } }

const SCENARIO = [
  // Another request, with other steps, the first of which is dear.
  ...turns({ role: 'pathseeker', prompt: 'Spend it' }, plans([{ id: 'dear' }, { id: 'next', dependsOn: ['dear'] }]), complete('plan'), say('Done.')), // biome-ignore format: one line
  {
    when: { role: 'codeweaver', step: 'dear', attempt: 1, turn: 0 },
    reply: { ...bash('echo dear > dear.txt'), ...DEAR },
  },
  ...begins([{ id: 'part' }]),
  // Asks, so that somebody has the time to edit the copy meanwhile.
  ...plays('codeweaver', 'part', 1, signals({ signal: 'needs-user-input', question: 'How?', context: '' }, 'part')),
  // Nobody of that name is there; but the project has an auditor.
  ...plays('siegemaster', 'part', 1, signals({ ...ASKS, targetRole: 'lawyer' }, 'part'), signals({ ...ASKS, targetRole: 'auditor' }, 'part')), // biome-ignore format: one line
  ...plays('auditor', 'part', null, complete('part', 'all licences are fine')),
  ...simply(['part', 'dear', 'next']),
]

test('a role of the project follows up; an edited copy is not believed; the budget ends it, by role [quest-added-role] [quest-copy] [quest-budget]', async () => {
  await using home = await tempHome({ scenario: SCENARIO })
  const roles = join(home.project, '.rehoboam/roles')
  mkdirSync(roles, { recursive: true })
  writeFileSync(join(roles, 'auditor.md'), AUDITOR)
  gitProject(home.project, { 'README.md': 'hello\n' })
  const run = await startQuest(home, { ward: [] })
  const question = await questionOn(home, run, 'part')
  await rests(home, run)

  // Somebody writes into the copy for people.
  const copy = join(home.project, `.rehoboam/quests/${run}/quest.json`)
  const written = () => existsSync(copy) && JSON.parse(readFileSync(copy, 'utf8')).seq
  await until(async () => written() === (await shown(home, run)).seq, 'the copy for people')
  writeFileSync(copy, readFileSync(copy, 'utf8').replaceAll('"asking"', '"complete"'))
  const isSaid = async () => (await shown(home, run)).notes.some(note => note.startsWith(`somebody changed ${copy}`))
  expect(await isSaid()).toBe(false)

  await answered(home, run, question, 'As you like.')
  expect(await rests(home, run)).toMatchObject({ status: 'complete', steps: { total: 1, complete: 1 } })
  expect(await until(isSaid, 'the edited copy to be noticed')).toBe(true)
  expect(readdirSync(dirname(copy))).toEqual(['quest.json'])
  await until(() => readFileSync(copy, 'utf8').includes('"status": "complete"'), 'the copy to be right again')

  // The refusal names whom there is; the same Siegemaster heard what came of it, and what the auditor left is gone.
  const sieger = home.model.asked.filter(({ line }) => line.role === 'siegemaster' && line.step === 'part')
  const heard = JSON.stringify(sieger.at(-1)!.messages)
  expect(heard).toMatch(/there is no role .{1,3}lawyer.{1,3} that could follow up; there are .*, auditor/)
  expect(heard).toContain('all licences are fine')
  expect(git(home.project, 'ls-tree', '-r', '--name-only', `rehoboam/${run}`)).toBe(
    '.rehoboam/roles/auditor.md\nREADME.md\npart.txt\n',
  )

  // What is left of the budget is the limit of each session; beyond it nothing starts.
  const spend = ['quest', 'Spend it', '--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash', '--no-ward']
  const waited = await home.rehoboam([...spend, '--max-cost', '0.5', '--wait'])
  expect(waited).toMatchObject({ code: 4, out: expect.stringContaining('over-budget: it reached its cost limit') })
  expect(waited.out).toMatch(/^cost: chaoswhisperer \$[\d.]+, pathseeker \$[\d.]+, codeweaver \$[\d.]+/m)
  const dear = home.runs().find(id => !id.includes('.') && id !== run)!
  const over = await shown(home, dear)
  expect(over).toMatchObject({ status: 'over-budget', cause: 'max-cost', steps: { complete: 0 } })
  const { sessions, costByRole } = over.quest!
  expect(sessions.map(({ role }) => role)).toEqual(['chaoswhisperer', 'pathseeker', 'codeweaver'])
  const sum = Object.values(costByRole).reduce((all, usd) => all + usd, 0)
  expect([costByRole.codeweaver! > 0.5, sum]).toEqual([true, expect.closeTo(over.costUsd, 5)])
  const page = (await home.rehoboam(['show', dear])).out
  expect(page).toMatch(/^by role +chaoswhisperer \$[\d.]+, pathseeker \$[\d.]+, codeweaver \$[\d.]+$/m)
  expect(page).toMatch(/^at most +\$0\.50$/m)

  // Resumed it may cost as much again, and goes on with the session that was stopped.
  expect((await home.rehoboam(['resume', dear, '--wait'])).code).toBe(0)
  const done = (await shown(home, dear)).quest!
  expect(done.sessions.filter(({ role, step }) => role === 'codeweaver' && step === 'dear')).toHaveLength(1)
  expect(git(home.project, 'show', `rehoboam/${dear}:dear.txt`)).toBe('dear\n')
}, 1_500_000)
