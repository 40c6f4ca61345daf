import { cut } from '../plain-text.ts'
import { type MarkdownLine, markdownLines } from './markdown.ts'

export type Criterion = {
  /** C1, C2, ... in the anchor's order. */
  id: string
  text: string
}

// What a run's state, its prompts and a judge's answer can carry.
const MOST_CRITERIA = 200
const LONGEST_CRITERION = 500
const LONGEST_WHOLE = 4_000

/**
 * The acceptance criteria: every list item with a box (`- [ ]`, `* [x]`, `1. [ ]`) outside code, quotes and headings. A
 * ticked one is one as well: whether it holds is what the run has to show. None: the whole text is C1.
 */
export function criteriaOf(anchor: string): Criterion[] {
  const boxes = boxesIn(markdownLines(anchor)).slice(0, MOST_CRITERIA)
  if (boxes.length === 0) return [{ id: 'C1', text: cut(anchor.trim(), LONGEST_WHOLE) }]
  return boxes.map((text, index) => ({ id: `C${index + 1}`, text: cut(text, LONGEST_CRITERION) }))
}

/** With the lines that an item goes on for: those directly below it that begin nothing of their own. */
function boxesIn(lines: MarkdownLine[]): string[] {
  const boxes: string[][] = []
  let isOpen = false
  for (const { kind, text, box } of lines) {
    if (kind === 'item' && box !== null && text.trim() !== '') {
      boxes.push([text.trim()])
      isOpen = true
    } else if (kind === 'prose' && text.trim() !== '' && isOpen) boxes.at(-1)!.push(text.trim())
    else isOpen = false
  }
  return boxes.map(parts => parts.join(' '))
}
