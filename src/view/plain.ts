import { widthOf } from './width.ts'

/**
 * Text from an agent, a file or the network, made safe to show: nothing in it can move the cursor, set a title, change
 * colours, hide or reorder other text. Newlines stay where a block is wanted; everywhere else they become spaces.
 */

const ESC = '\u001b'
// Operating system commands and the like run to BEL or ST, at most to the end of their line: one without an end must not
// swallow what follows. Control sequences run to their final byte; the rest is two bytes.
const SEQUENCES = new RegExp(
  `(?:${ESC}[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u009c\\n${ESC}]*(?:\\u0007|\\u009c|${ESC}\\\\)?` +
    `|(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]?` +
    `|${ESC}[ -/]*[0-~]?`,
  'g',
)
const CONTROLS = /[\p{Cc}--[\n\t]]/gv
// Characters that show nothing: marks that turn the direction of what follows, and others that hide among letters. The
// joiners between letters and between emoji, and the selectors of their form, stay: without them one becomes several.
const HIDDEN = /[[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]--[\u200c\u200d\ufe0e\ufe0f]]/gv
const LINE_ENDS = /\r\n|[\u2028\u2029]/g

export function plainBlock(text: string): string {
  return text
    .replace(LINE_ENDS, '\n')
    .replace(SEQUENCES, '')
    .replace(CONTROLS, character => (character === '\r' ? '\n' : ''))
    .replace(HIDDEN, '')
    .replaceAll('\t', '  ')
    .toWellFormed()
}

export function plainLine(text: string, longest = 200): string {
  const line = plainBlock(text.slice(0, longest * 8))
    .replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
}

/** A line that fits a terminal of so many columns, cut between what a reader calls characters. */
export function cutTo(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line
  let cut = ''
  let width = 0
  for (const { segment } of GRAPHEMES.segment(line)) {
    width += widthOf(segment)
    if (width > columns - 1) break
    cut += segment
  }
  return `${cut.trimEnd()}…`
}

/** A line on as many lines as it needs, cut behind a blank where one is near, else between characters; none is lost. */
export function wrapTo(line: string, columns: number): string[] {
  if (widthOf(line) <= columns) return [line]
  const parts: string[] = []
  let part = ''
  let width = 0
  for (const { segment } of GRAPHEMES.segment(line)) {
    const wide = widthOf(segment)
    if (width + wide > Math.max(columns, 2)) {
      const blank = part.lastIndexOf(' ') + 1
      const end = widthOf(part.slice(0, blank)) * 2 > columns ? blank : part.length
      parts.push(part.slice(0, end))
      part = part.slice(end)
      width = widthOf(part)
    }
    part += segment
    width += wide
  }
  return [...parts, part]
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** JSON for a terminal: the same data, with every character that a terminal could obey written as an escape. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent)
    .replace(/[\p{Cc}--\n]/gv, escaped)
    .replace(HIDDEN, character => character.split('').map(escaped).join(''))
    .replace(LINE_ENDS, escaped)
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
