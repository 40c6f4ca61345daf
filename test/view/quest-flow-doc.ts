import { flowDiagram } from '../../src/view/quest-flow-diagram.ts'
import { redraw } from '../support/drawn-part.ts'

export const DOC = new URL('../../docs/quests.md', import.meta.url)
const PART = { page: 'docs/quests.md', part: 'flow', writer: 'test/view/write-quest-flow.ts' }

/** The document with the part between its markers drawn from the flow that the machine follows. */
export function redrawn(document: string): string {
  return redraw(document, PART, `\`\`\`mermaid\n${flowDiagram()}\n\`\`\``)
}
