/** Text of anybody as one bounded line for a log or a list: no control characters, no line breaks. */
export function oneLine(text: string, characters: number): string {
  const flat = text
    .slice(0, characters * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return flat.length <= characters ? flat : `${flat.slice(0, characters - 1)}…`
}
