// Draws the flow in docs/quests.md anew from the data: node test/view/write-quest-flow.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { DOC, redrawn } from './quest-flow-doc.ts'

writeFileSync(DOC, redrawn(readFileSync(DOC, 'utf8')))
