import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FLOW } from '../../src/contract/quest-flow.ts'
import { flowDiagram, flowLines } from '../../src/view/quest-flow-diagram.ts'
import { DOC, redrawn } from './quest-flow-doc.ts'

test('docs/quests.md draws the flow that the machine follows [quest-flow-drawn]', () => {
  const document = readFileSync(DOC, 'utf8')
  const anew = 'the flow has changed; draw it anew: node test/view/write-quest-flow.ts'
  expect(document, anew).toBe(redrawn(document))
})

test('the diagram and the lines of a terminal have every edge of the flow [quest-flow-drawn]', () => {
  const [diagram, lines] = [flowDiagram(), flowLines().join('\n')]
  for (const { part, from, on, to } of FLOW) {
    expect(diagram).toMatch(new RegExp(`${part}-${from} -->\\|([^|]*; )?${on}(; [^|]*)?\\| ${part}-${to}$`, 'm'))
    expect(lines).toContain(on)
  }
})
