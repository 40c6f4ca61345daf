import { endOf, type JsonNode } from './json-read.ts'

/**
 * Changes to a JSON text that leave every other byte as its owner wrote it: new elements look like their neighbours,
 * and an element that is taken out takes its own comma and white space with it, nothing else.
 *
 * jsonc-parser has `modify` and `applyEdits`, which cannot do this: `modify` formats the neighbours again or leaves all on
 * one line, takes out only the first of two equal names, and makes [12] of [1, 2] without its last item; `applyEdits`
 * copies the whole text for each edit, which takes seconds for a hostile file.
 */

/** One place of a text, and what shall stand there instead. */
export type Edit = { start: number; end: number; text: string }

/** A new element. `oneLine`: it stands on one line, whatever its neighbours look like. */
type Piece = { name?: string; value: unknown; oneLine?: true }
/** Where a new value will stand: what its lines begin with, or that it stands on one line. */
type Layout = { eol: string; unit: string; base: string; oneLine: boolean; spaced: boolean }

export function edited(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

/** New elements behind the last one, or in a holder that is empty; what stood inside that one is replaced. */
export function add(text: string, root: JsonNode, holder: JsonNode, pieces: readonly Piece[]): Edit {
  const last = holder.children!.at(-1)
  if (last === undefined) return fill(text, root, holder, pieces)
  const before = gap(text, holder)
  const layout = layoutBehind(text, root, holder)
  const written = pieces.map(piece => `,${before}${pieceText(piece, layout, colonOf(text, holder))}`)
  return { start: endOf(last), end: endOf(last), text: written.join('') }
}

/** Takes elements out of a holder that keeps others. */
export function take(holder: JsonNode, gone: ReadonlySet<number>): Edit[] {
  const elements = holder.children!
  const edits: Edit[] = []
  for (let first = 0; first < elements.length; first++) {
    if (!gone.has(first)) continue
    let last = first
    while (gone.has(last + 1)) last++
    const next = elements[last + 1]
    // The last ones go with the comma before them, all others with the comma behind them.
    if (next !== undefined) edits.push({ start: elements[first]!.offset, end: next.offset, text: '' })
    else edits.push({ start: endOf(elements[first - 1]!), end: endOf(elements[last]!), text: '' })
    first = last
  }
  return edits
}

/** Empties a holder, down to the white space that shall stay in it. */
export function clear(holder: JsonNode, inside = ''): Edit {
  return { start: holder.offset + 1, end: endOf(holder) - 1, text: inside }
}

/** A value on one line, as people write it. */
export function onOneLine(value: unknown): string {
  return inLines(value)
    .replace(/,\n\t*/g, ', ')
    .replace(/\n\t*/g, '')
}

// A line break or a tab never stands inside quotes, so all of these are ours to replace.
function inLines(value: unknown): string {
  return JSON.stringify(value, null, '\t')
}

function laidOut({ value, ...piece }: Piece, { eol, unit, base, oneLine, spaced }: Layout): string {
  if (piece.oneLine || (oneLine && spaced)) return onOneLine(value)
  if (oneLine) return JSON.stringify(value)
  return inLines(value).replace(/\n(\t*)/g, (_, tabs: string) => eol + base + unit.repeat(tabs.length))
}

function fill(text: string, root: JsonNode, holder: JsonNode, pieces: readonly Piece[]): Edit {
  const style = styleOf(text, root)
  const outer = indentAt(text, holder.offset)
  const layout = { ...style, base: outer + style.unit }
  const written = pieces.map(piece => pieceText(piece, layout, style.spaced ? ': ' : ':'))
  const inside = style.oneLine
    ? written.join(style.spaced ? ', ' : ',')
    : written.map(piece => style.eol + layout.base + piece).join(',') + style.eol + outer
  return clear(holder, inside)
}

function pieceText(piece: Piece, layout: Layout, colon: string): string {
  const { name } = piece
  return name === undefined ? laidOut(piece, layout) : `${JSON.stringify(name)}${colon}${laidOut(piece, layout)}`
}

/** What stands before the last element, without its comma or bracket: how this holder is written. */
function gap(text: string, holder: JsonNode): string {
  const elements = holder.children!
  const [last, before] = [elements.at(-1)!, elements.at(-2)]
  return text.slice(before ? endOf(before) : holder.offset, last.offset).replace(/^\s*[,{[]/, '')
}

function colonOf(text: string, holder: JsonNode): string {
  return holder.type === 'array' ? '' : colonIn(text, holder.children!.at(-1)!)
}

/** From behind the name to the value. */
function colonIn(text: string, property: JsonNode): string {
  const [name, value] = property.children as [JsonNode, JsonNode]
  return text.slice(endOf(name), value.offset)
}

function layoutBehind(text: string, root: JsonNode, holder: JsonNode): Layout {
  const base = indentAt(text, holder.children!.at(-1)!.offset)
  const oneLine = !/[\r\n]/.test(text.slice(holder.offset, endOf(holder)))
  return { ...styleOf(text, root), base, oneLine }
}

/** The habits of a whole text. One that says nothing about itself gets two spaces and one element a line. */
function styleOf(text: string, root: JsonNode): Omit<Layout, 'base'> {
  const first = root.children![0]
  return {
    eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n',
    unit: /(?:^|[\r\n])([ \t]+)[^\s]/.exec(text)?.[1] ?? '  ',
    oneLine: first !== undefined && !/[\r\n]/.test(text.slice(root.offset, endOf(root))),
    spaced: first === undefined || /\s$/.test(colonIn(text, first)),
  }
}

/** The white space that the line of this place begins with. */
function indentAt(text: string, at: number): string {
  const line = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1
  return /^[ \t]*/.exec(text.slice(line, at))![0]
}
