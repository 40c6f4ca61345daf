/** A part of a page in docs/ that a program writes, between two comments that name the part. */
type DrawnPart = { page: string; part: string; writer: string }

/** Returns the page with `drawn` between its two comments. Throws when the page lacks one of them. */
export function redraw(text: string, { page, part, writer }: DrawnPart, drawn: string): string {
  const first = `<!-- ${part}: written by \`node ${writer}\`, do not edit -->`
  const last = `<!-- end of ${part} -->`
  const begin = text.indexOf(first)
  const end = text.indexOf(last)
  if (begin < 0 || end < begin) throw new Error(`${page} must hold the lines ${first} and ${last}`)
  return `${text.slice(0, begin + first.length)}\n\n${drawn}\n\n${text.slice(end)}`
}
