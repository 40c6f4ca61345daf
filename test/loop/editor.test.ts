import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onTerminal } from '../cli/terminal.ts'
import { tempHome } from '../support/temp-home.ts'
import { gitProject, iterations } from './projects.ts'

test('a loop without a task is written in the editor of its user, and is not begun when nothing is written there [loop-editor]', async () => {
  await using home = await tempHome({ scenario: iterations({ runs: 'true', says: 'DONE' }) })
  gitProject(home.project)
  const words = ['spawn', '--loop', '--no-ward', '--wait']
  const { screen } = await onTerminal(home, words, { EDITOR: 'true' })
  expect(screen).toContain('there is no task')
  expect(home.runs()).toEqual([])
  const write = join(home.root, 'write.sh')
  writeFileSync(write, 'printf "Mend it\\n- [ ] it works\\n" >> "$1"\n')
  await onTerminal(home, words, { EDITOR: `sh ${write}` })
  expect(home.runs()).toHaveLength(1)
  expect(readFileSync(join(home.project, '.rehoboam/anchor.md'), 'utf8')).toBe('Mend it\n- [ ] it works')
})
