import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noQuestion, openQuestions, questionOf } from '../inbox/own-pane.ts'
import { tempHome } from '../support/temp-home.ts'
import { scriptClient, show, spawnRun, untilStatus } from './runs.ts'

const DIALOG = `Do you trust the files in this folder?\\n\\n❯ 1. Yes, I trust this folder\\n  2. No, exit\\n\\nEnter to confirm`

test('a pane that shows a dialog before it began is one question until the dialog is gone; with --no-questions the run is paused [pane-trust]', async () => {
  await using home = await tempHome()
  const client = scriptClient(
    home,
    'asking-client',
    `printf '${DIALOG}\\n'; until [ -e trusted ]; do sleep 0.1; done; clear; echo "I work."; exec sleep 1000`,
  )
  const env = { REHOBOAM_CLAUDE: client, TERM: 'screen' }
  const run = await spawnRun(home, 'go', { flags: { driver: 'pane' }, env })
  const asked = await questionOf(home)
  expect(asked).toMatchObject({ kind: 'trust', run, project: home.project })
  expect(asked.text).toMatch(new RegExp(`^its pane waits for you.*; rehoboam open ${run}, and answer there:\n`))
  expect(asked.text).toContain('Yes, I trust this folder')

  const nobody = await spawnRun(home, 'go', { flags: { driver: 'pane' }, env, noQuestions: true })
  expect(await untilStatus(home, nobody, 'paused')).toMatchObject({ cause: 'question' })
  expect((await openQuestions(home)).map(({ id }) => id)).toEqual([asked.id])

  writeFileSync(join(home.project, 'trusted'), '')
  await noQuestion(home, 'the question to be closed by the answer in the pane')
  expect(await show(home, run)).toMatchObject({ status: 'active' })
})
