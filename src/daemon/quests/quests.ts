import type { ParentOutside } from '../parent/parent-outside.ts'
import type { Family } from '../parent/parents.ts'
import { writeQuestFile } from './quest-file.ts'
import { questAsking, type WantedByQuest } from './quest-questions.ts'
import { removeDisposables } from './role-place.ts'
import { questChildren } from './role-session.ts'

/** What only quests have: sessions of roles, and quest.json with its copy for people. */
export function questFamily(outside: ParentOutside): Family<WantedByQuest> {
  return {
    kind: 'quest',
    children: questChildren(outside),
    asking: questAsking(outside),
    write: run => writeQuestFile(outside, run),
    leave: run => removeDisposables(outside, run),
  }
}
