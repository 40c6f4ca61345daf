/**
 * Foreign text made safe to print: a project's file comes with a clone, and its keys and values stand in our
 * sentences. Control, format and bidirectional characters would move the cursor or turn the line around.
 */
export function printable(text: string, longest = 200): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text
  return cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, character => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}

export function quoted(text: string): string {
  return `"${printable(text, 48)}"`
}
