import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunDetail } from '../../src/contract/run.ts'
import { git, gitProject, iterations } from '../loop/projects.ts'
import { tempHome } from '../support/temp-home.ts'

test('a project’s own setup is shown, wants agreement, and makes worktrees ready to work and to be checked [worktree-setup]', async () => {
  const scenario = iterations({ runs: 'cat made settings.local > seen.txt', says: 'It is there.\n\nDONE' })
  await using home = await tempHome({ scenario })
  const config = { 'worktree.setup': ['echo one > made', 'echo two >> made'], 'worktree.copies': ['settings.local'] }
  gitProject(home.project, {
    'README.md': 'hello\n',
    '.gitignore': 'made\nsettings.local\n',
    'rehoboam.config.json': JSON.stringify(config),
  })
  writeFileSync(join(home.project, 'settings.local'), 'mine\n')
  const ward = ['--ward', 'grep two made && grep mine settings.local']
  const words = ['spawn', '--loop', '--worktree', '--prompt', 'Look', '--allowed-tools', 'Bash', ...ward, '--wait']
  const refused = await home.rehoboam(words)
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('nobody has agreed')])
  expect(refused.err).toContain('setup: echo one > made (the project')
  expect(home.runs()).toEqual([])

  expect((await home.rehoboam([...words, '--yes'])).code).toBe(0)
  const [run = ''] = home.runs()
  const shown = JSON.parse((await home.rehoboam(['show', run, '--json'])).out) as RunDetail
  expect(shown).toMatchObject({ status: 'complete', proven: true })
  expect(git(home.project, 'show', `rehoboam/${run}:seen.txt`)).toBe('one\ntwo\nmine\n')
  expect(readFileSync(join(home.home, 'worktrees', run, 'made'), 'utf8')).toBe('one\ntwo\n')
  // Once for each project and commands.
  expect((await home.rehoboam(['spawn', '--loop', '--prompt', 'Again', '--allowed-tools', 'Bash', ...ward])).code).toBe(
    0,
  )
})
