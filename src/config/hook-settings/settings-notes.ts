/**
 * What stood in the file before us, noted in the mark of our own entries: then `--remove` needs no second file that
 * could be lost, and works in another clone. Most files need no note at all.
 *
 * n<number>  there was no file; so many directories were made for it
 * b          the file was blank
 * o h l      the file's object, its "hooks", or an event's list was there and empty; then the white space inside
 */
export type EmptyHolder = 'o' | 'h' | 'l'

const LETTERS: Readonly<Record<string, string>> = { ' ': 's', '\t': 't', '\n': 'n', '\r': 'r' }
const SPACES = Object.fromEntries(Object.entries(LETTERS).map(([space, letter]) => [letter, space]))
// More is a slip of somebody's hand, and every letter of it would stand in a command.
const MOST_SPACE = 64

export function madeNote(directories: number): string {
  return `n${directories}`
}

export const BLANK_NOTE = 'b'

export function emptyNote(holder: EmptyHolder, inside: string): string {
  const letters = [...inside.slice(0, MOST_SPACE)].map(space => LETTERS[space] ?? '')
  return holder + letters.join('')
}

/** The directories that were made for the file, or null when it was there before. */
export function madeIn(notes: readonly string[]): number | null {
  const note = notes.find(note => /^n\d{1,4}$/.test(note))
  return note === undefined ? null : Number(note.slice(1))
}

/** The white space that was in a holder before us, or null when nothing is noted about it. */
export function insideIn(notes: readonly string[], holder: EmptyHolder): string | null {
  const note = notes.find(note => note.startsWith(holder) && /^[strn]*$/.test(note.slice(1)))
  return note === undefined ? null : [...note.slice(1)].map(letter => SPACES[letter]!).join('')
}
