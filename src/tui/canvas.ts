// What comes between these is shown at once, by terminals that know them; the others ignore them.
const HOLD = '\u001b[?2026h'
const RELEASE = '\u001b[?2026l'
const CLEAR = '\u001b[2J'

/** The screen of a terminal as lines: of a new picture only the lines that differ are written. */
export class Canvas {
  readonly #stdout: NodeJS.WriteStream
  #shown: string[] | null = null

  constructor(stdout: NodeJS.WriteStream) {
    this.#stdout = stdout
  }

  /** Somebody else has drawn: nothing of what we wrote may be there any more. */
  forget(): void {
    this.#shown = null
  }

  /** A terminal that has not taken the last picture yet gets the next one `later`: it must not fall behind. */
  show(lines: string[], later: () => void): void {
    if (this.#stdout.writableNeedDrain) {
      this.#stdout.once('drain', later)
      return
    }
    const before = this.#shown
    // The line is emptied first: behind one that reaches the edge the cursor stands on its last character.
    const changed = lines.flatMap((line, n) => (before?.[n] === line ? [] : [`\u001b[${n + 1};1H\u001b[2K${line}`]))
    this.#shown = lines
    if (changed.length === 0 && before) return
    this.#stdout.write(`${HOLD}${before ? '' : CLEAR}${changed.join('')}${RELEASE}`)
  }
}
