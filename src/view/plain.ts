/**
 * Text from an agent, a file or the network, made safe to show: nothing in it can move the cursor, set a title, change
 * colours, hide or reorder other text. Newlines stay where a block is wanted; everywhere else they become spaces.
 */

const ESC = '\u001b'
// Operating system commands and the like run to BEL or ST; control sequences to their final byte; the rest is two bytes.
const SEQUENCES = new RegExp(
  `(?:${ESC}[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u009c${ESC}]*(?:\\u0007|\\u009c|${ESC}\\\\)?` +
    `|(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]?` +
    `|${ESC}[ -/]*[0-~]?`,
  'g',
)
const CONTROLS = /[\p{Cc}--[\n\t]]/gv
// Marks that turn the direction of what follows, and characters of no width that hide among others. The joiner between
// emoji and the selectors of their form stay: without them one picture becomes several.
const HIDDEN =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

export function plainBlock(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
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

/** JSON for a terminal: the same data, with every character that a terminal could obey written as an escape. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent)
    .replace(/[\p{Cc}--\n]/gv, escaped)
    .replace(HIDDEN, pair => [...pair].map(character => [...character].flatMap(unitsOf).map(escaped).join('')).join(''))
}

function unitsOf(character: string): string[] {
  return Array.from({ length: character.length }, (_, n) => character.charAt(n))
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}
