// For reading, not for showing: core may not see the room of the faces, which have their own and stricter one.
const ESC = '\u001b'
const SEQUENCES = new RegExp(
  `${ESC}[\\]PX^_][^\\u0007\\n${ESC}]*(?:\\u0007|${ESC}\\\\)?|${ESC}\\[[0-?]*[ -/]*[@-~]?|${ESC}[ -/]*[0-~]?`,
  'g',
)
const CONTROLS = /[\p{Cc}--[\n\t]]/gv

/** What a program printed without colours and control characters; lines and tabs stay. */
export function plain(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCES, '').replace(CONTROLS, '').toWellFormed()
}

export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`.toWellFormed()
}

/** Text of anybody as one bounded line for a log or a list. What only steers how text is shown is gone too. */
export function oneLine(text: string, longest: number): string {
  // Four times as much holds the line also when half of it is blanks; beyond that nobody looks.
  const flat = plain(text.slice(0, longest * 4)).replace(/[\p{Cf}\s]+/gu, ' ')
  return cut(flat.trim(), longest)
}
