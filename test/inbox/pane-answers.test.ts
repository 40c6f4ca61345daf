import { test } from 'vitest'
import { answersTwo } from './pane-scenes.ts'

test('what is allowed or chosen in our pane is closed in the inbox, also while its command runs [inbox-pane-answer]', () =>
  answersTwo('ours'))
