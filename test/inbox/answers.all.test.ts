import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { QUESTION, runIn } from './scene.ts'

test('a question asked in a pane is answered from the CLI by the number of an option [inbox-allow]', async () => {
  await using home = await tempHome({ client: 'real', scenario: QUESTION })
  const { asking, goesOn } = await runIn(home, '.', 'ask please', { driver: 'pane' })
  const question = await asking()
  expect(question).toMatchObject({ kind: 'question', text: 'Which one?', options: ['Apples', 'Pears'] })
  expect((await home.rehoboam(['answer', question.id, '2'])).code).toBe(0)
  expect(JSON.stringify((await goesOn()).messages.at(-1))).toContain('Pears')
})
