import { type MarkdownLine, withoutInlineCode } from './markdown.ts'

/** A claim is short. A longer "sentence" is a dump, and the patterns that look at one must have an end. */
export const LONGEST_SENTENCE = 600

/** A line's sentences, in small letters, without emphasis, marks, inline code and what stands in quotation marks. */
export function sentencesOf(line: MarkdownLine): string[] {
  if (line.text === '') return []
  // A word in place of what is shown, so that "prints `all done`" does not become a sentence that ends early.
  const text = withoutQuoted(withoutInlineCode(line.text, ' shown '))
    .toLowerCase()
    .replace(/[’ʼ]/g, "'")
    .replace(/[*_~]{1,3}/g, '')
    .replace(/\p{Extended_Pictographic}|[\u2713\u2714\u2611\u2612]|\ufe0f/gu, ' ')
    .replace(/\s+/g, ' ')
  return text
    .split(/(?<=[.!?;。！？])(?=\s|$)|(?<=[。！？])/)
    .map(sentence => sentence.trim())
    .filter(sentence => sentence !== '')
}

/** Words in quotation marks are somebody else's, or a program's. Pairs only, within the line. */
function withoutQuoted(text: string): string {
  if (!/["“”»']/.test(text)) return text
  return text
    .replace(/"[^"]{0,400}"/g, ' shown ')
    .replace(/“[^”]{0,400}”/g, ' shown ')
    .replace(/„[^“”]{0,400}[“”]/g, ' shown ')
    .replace(/«[^»]{0,400}»/g, ' shown ')
    .replace(/(?<![\p{L}\d])'[^']{1,400}'(?![\p{L}\d])/gu, ' shown ')
}
