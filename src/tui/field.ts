/** Text that is being typed, and where the next character goes. */
export type Field = { text: string; at: number }

export const EMPTY: Field = { text: '', at: 0 }

export function fieldOf(text: string): Field {
  return { text, at: text.length }
}

// More than anybody types or pastes into a terminal; the daemon refuses what is too long for it.
const LONGEST = 200_000

export function insert({ text, at }: Field, typed: string): Field {
  const added = typed.replace(/\r\n?/g, '\n').slice(0, LONGEST - text.length)
  return { text: text.slice(0, at) + added + text.slice(at), at: at + added.length }
}

/** Between what a reader calls characters. */
export function moveBy({ text, at }: Field, by: -1 | 1): Field {
  const stops = stopsOf(text)
  const next = by > 0 ? stops.find(stop => stop > at) : stops.findLast(stop => stop < at)
  return { text, at: next ?? at }
}

export function erase(field: Field): Field {
  const { at } = moveBy(field, -1)
  return { text: field.text.slice(0, at) + field.text.slice(field.at), at }
}

export function eraseWord({ text, at }: Field): Field {
  const before = text.slice(0, at).replace(/\S*\s*$/, '')
  return { text: before + text.slice(at), at: before.length }
}

export function toEdge({ text }: Field, edge: 'start' | 'end'): Field {
  return { text, at: edge === 'start' ? 0 : text.length }
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function stopsOf(text: string): number[] {
  return [...[...GRAPHEMES.segment(text)].map(({ index }) => index), text.length]
}
