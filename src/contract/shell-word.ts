/** For a shell, in a sentence that tells somebody what to type: nothing in it means anything there. */
export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
