import { plainBlock, plainLine } from './plain.ts'

/**
 * Text for a cell of a screen that is drawn again and again: safe to show, and as wide everywhere as we think it is.
 * Terminals disagree about pictures that are joined from several; one column of error moves the rest of the line.
 */
export function cellText(text: string, longest = 200): string {
  return steady(plainLine(text, longest))
}

/** The same for text that keeps its lines. */
export function cellBlock(text: string): string[] {
  return steady(plainBlock(text)).split('\n')
}

// What joins or alters pictures: each then stands for itself. Joiners between letters stay, they have no width.
const JOINING =
  /(?<=[\p{Extended_Pictographic}\ufe0f\u{1f3fb}-\u{1f3ff}])[\u200d\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]+|[\ufe0e\ufe0f]/gv

function steady(text: string): string {
  return PLAIN.test(text) ? text : text.replace(JOINING, '')
}

const PLAIN = /^[ -\u02ff\n\t]*$/
