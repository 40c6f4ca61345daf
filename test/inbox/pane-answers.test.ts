import { test } from 'vitest'
import { answersAll } from './pane-scenes.ts'

test('what is answered in the pane is closed in the inbox, also while its command runs: ours [inbox-pane-answer] [inbox-pane-usable]', () =>
  answersAll('ours'))
