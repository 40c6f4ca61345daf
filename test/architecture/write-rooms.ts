// Draws the floors of core and daemon in docs/architecture.md from the data: node test/architecture/write-rooms.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { DOC, redrawn } from './rooms-doc.ts'

writeFileSync(DOC, redrawn(readFileSync(DOC, 'utf8')))
