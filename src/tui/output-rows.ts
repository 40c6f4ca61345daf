import { cellBlock } from '../view/cell-text.ts'
import type { OutputLine } from '../view/output-line.ts'
import { wrapTo } from '../view/plain.ts'
import { type Row, span, type Tone } from './row.ts'

const TONES: Record<OutputLine['tone'], Tone> = { say: 'text', tool: 'working', fail: 'failed', note: 'dim' }

/** The end of what was said, as many rows as padTo, scrolled back by so many. Only what is shown is wrapped. */
export function outputRows(
  lines: readonly OutputLine[],
  columns: number,
  height: number,
  back: number,
): { rows: Row[]; most: number } {
  const wanted = height + back
  const rows: Row[] = []
  let at = lines.length
  while (at > 0 && rows.length < wanted + height) {
    const { tone, text } = lines[--at]!
    const wrapped = cellBlock(text).flatMap(line => wrapTo(line, columns - 1))
    rows.unshift(...wrapped.map(line => [span(` ${line}`, TONES[tone])]))
  }
  // What lies above is not wrapped yet: it is at least as many rows as it has lines.
  const most = Math.max(0, rows.length + at - height)
  const end = Math.max(Math.min(height, rows.length), rows.length - back)
  return { rows: rows.slice(Math.max(0, end - height), end), most }
}
