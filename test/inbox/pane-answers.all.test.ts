import { expect, test } from 'vitest'
import { tempHome } from '../support/temp-home.ts'
import { paneIn, type Whose, withoutNotes } from './own-pane.ts'
import { ASKED, allowed, answersAll, closings, refused } from './pane-scenes.ts'

test.for(['ours', 'the user’s own'] satisfies Whose[])(
  'what is answered in the pane is closed in the inbox, also while its command runs: %s [inbox-pane-answer]',
  answersAll,
)

test('it is closed too when the client notes nothing of itself: by the command’s process, and by the screen [inbox-pane-answer]', async () => {
  await using home = await tempHome({ client: 'real', scenario: ASKED })
  withoutNotes(home)
  await using pane = await paneIn(home, 'the user’s own', 'begin')
  const scene = { home, pane, asked: [] }
  await allowed(scene)
  await refused(scene)
  expect(await closings(scene)).toEqual(Array(2).fill('closed pane'))
})
