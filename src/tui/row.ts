import { cutTo } from '../view/plain.ts'
import { widthOf } from '../view/width.ts'

/** What a piece of a line means; a palette makes a colour of it. */
export type Tone = 'text' | 'dim' | 'attention' | 'working' | 'done' | 'failed' | 'title' | 'key'
export type Span = { text: string; tone?: Tone; bold?: boolean; inverse?: boolean }
/** One line of the screen. Whatever an agent wrote went through cellText before it became a part of one. */
export type Row = Span[]

export function span(text: string, tone: Tone = 'text', more: Omit<Span, 'text' | 'tone'> = {}): Span {
  return { text, tone, ...more }
}

export function rowWidth(row: Row): number {
  let width = 0
  for (const { text } of row) width += widthOf(text)
  return width
}

/** Cut to so many columns, and filled up with blanks. */
export function padTo(row: Row, columns: number): Row {
  const cut = cutRow(row, columns)
  const missing = columns - rowWidth(cut)
  return missing > 0 ? [...cut, { text: ' '.repeat(missing) }] : cut
}

export function cutRow(row: Row, columns: number): Row {
  if (rowWidth(row) <= columns) return row
  const cut: Row = []
  let left = columns
  for (const piece of row) {
    if (left <= 0) break
    const width = widthOf(piece.text)
    if (width <= left) {
      cut.push(piece)
      left -= width
      continue
    }
    cut.push({ ...piece, text: cutTo(piece.text, left) })
    break
  }
  // Nothing says that there is more when the cut fell between two pieces: the last one says it.
  return rowWidth(cut) > columns ? [{ text: '' }] : cut
}

/** One part at the left edge, one at the right; the left one gives way. */
export function spread(left: Row, right: Row, columns: number): Row {
  const rest = cutRow(right, columns)
  const width = rowWidth(rest)
  if (width === 0) return cutRow(left, columns)
  const room = columns - width - 1
  if (room <= 0) return rest
  return [...padTo(left, room), { text: ' ' }, ...rest]
}

export function rule(columns: number): Row {
  return [span('─'.repeat(Math.max(0, columns)), 'dim')]
}

/** Cells side by side, each as wide as its column; those named stand at the right of it. The last takes what is left. */
export function cellsOf(cells: (Row | string)[], widths: number[], right: number[] = []): Row {
  const row: Row = []
  cells.forEach((cell, n) => {
    const spans = typeof cell === 'string' ? [span(cell)] : cell
    const width = widths[n]
    if (n > 0) row.push({ text: '  ' })
    if (width === undefined) row.push(...spans)
    else if (right.includes(n))
      row.push({ text: ' '.repeat(Math.max(0, width - rowWidth(spans))) }, ...cutRow(spans, width))
    else row.push(...padTo(spans, width))
  })
  return row
}

/** The text alone, for tests, for whoever wants it plain, and for those who look for something. */
export function textOf(row: Row): string {
  return row.map(({ text }) => text).join('')
}
