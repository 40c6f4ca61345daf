// Writes the keys in docs/configuration.md anew from the schema: node test/config/write-doc.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { DOC, renewed } from './doc-table.ts'

writeFileSync(DOC, renewed(readFileSync(DOC, 'utf8')))
