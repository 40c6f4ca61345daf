// Draws the states in docs/loops.md anew from the machine: node test/loop/write-loop-states.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { DOC, redrawn } from './loop-states-doc.ts'

writeFileSync(DOC, redrawn(readFileSync(DOC, 'utf8')))
