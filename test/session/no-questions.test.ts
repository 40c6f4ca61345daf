import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { asking, inboxOf, PERMISSION } from '../inbox/scene.ts'
import { tempHome } from '../support/temp-home.ts'
import { until } from '../support/until.ts'
import { show } from './runs.ts'

const ASKS = ['spawn', '--prompt', 'perm please', '--permission-mode', 'manual']

test('with --wait and no terminal a question ends the session and pauses the run, code 6; resumed it may ask [no-questions]', async () => {
  await using home = await tempHome({ client: 'either', scenario: PERMISSION })
  const { code, out, err } = await home.rehoboam([...ASKS, '--wait'])
  expect(code).toBe(6)
  expect(out).toMatch(/\npaused: something asks for a person.*; rehoboam resume [a-z0-9]{8} goes on, and its questions/)
  expect(err).toContain('note: it asked: Bash: touch made.txt\n')
  expect(await inboxOf(home)).toEqual([])
  const run = home.runs()[0]!
  expect(await show(home, run)).toMatchObject({ status: 'paused', cause: 'question', turns: [{ state: 'ended' }] })
  expect(home.model.asked.every(({ turn }) => turn === 0)).toBe(true)
  expect((await home.rehoboam(['resume', run, 'perm please'])).code).toBe(0)
  const { id } = await asking(home)
  expect((await home.rehoboam(['allow', id])).code).toBe(0)
  await until(() => existsSync(join(home.project, 'made.txt')), 'the allowed command to have run')
})
