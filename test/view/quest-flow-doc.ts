import { flowDiagram } from '../../src/view/quest-flow-diagram.ts'

export const DOC = new URL('../../docs/quests.md', import.meta.url)
const BEGIN = '<!-- flow: written by `node test/view/write-quest-flow.ts`, do not edit -->'
const END = '<!-- end of flow -->'

/** The document with the part between its markers drawn from the flow that the machine follows. */
export function redrawn(document: string): string {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`docs/quests.md must hold the lines ${BEGIN} and ${END}`)
  return `${document.slice(0, begin + BEGIN.length)}\n\n\`\`\`mermaid\n${flowDiagram()}\n\`\`\`\n\n${document.slice(end)}`
}
