/** What an agent's line is as Markdown. Only `prose` and `item` are its own words; the rest shows, quotes or titles. */
export type MarkdownLine = {
  kind: 'prose' | 'item' | 'row' | 'heading' | 'quote' | 'code'
  /** Without the list mark, the box, the `#` or the `>`. */
  text: string
  /** A list item's box: `[ ]` is open, `[x]` is ticked. */
  box: 'open' | 'ticked' | null
}

// Shared by all blank lines: a text may consist of a million of them.
const BLANK: MarkdownLine = Object.freeze({ kind: 'prose', text: '', box: null })
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const ITEM = /^\s{0,12}(?:[-*+•]|\d{1,4}[.)])(?=\s|$)\s*/
const BOX = /^\[([ xX~])\](?=\s|$)\s*/

/**
 * Lines with their kinds, in one pass and without going back. Not the whole of Markdown: where the standard is
 * generous (a paragraph that goes on inside a quote), a line counts as quoted only if it has the mark itself.
 */
export function markdownLines(text: string): MarkdownLine[] {
  const lines: MarkdownLine[] = []
  let fence: string | null = null
  let indentedMayBegin = true
  let inList = false
  for (const raw of text.split(/\r\n|\n|\r|\u2028|\u2029/)) {
    if (fence === null && raw.trim() === '') {
      indentedMayBegin = true
      lines.push(BLANK)
      continue
    }
    const mark = FENCE.exec(raw)?.[1]
    if (fence !== null) {
      // Only the same mark, at least as long and alone on its line, closes; one that never closes runs to the end.
      if (mark?.startsWith(fence) && raw.trim() === mark) fence = null
      lines.push({ kind: 'code', text: raw, box: null })
      continue
    }
    if (mark) {
      fence = mark
      indentedMayBegin = true
      lines.push({ kind: 'code', text: raw, box: null })
      continue
    }
    const line = lineOf(raw, indentedMayBegin && !inList)
    inList = line.kind === 'item' || (inList && /^\s/.test(raw))
    indentedMayBegin = line.kind === 'code' || line.kind === 'heading'
    const before = lines.at(-1)
    if (/^ {0,3}(?:=+|-{2,})\s*$/.test(raw) && before?.kind === 'prose' && before.text !== '') {
      before.kind = 'heading'
      continue
    }
    lines.push(line)
  }
  return lines
}

function lineOf(raw: string, indentedIsCode: boolean): MarkdownLine {
  if (indentedIsCode && /^(?: {4}|\t)/.test(raw)) return { kind: 'code', text: raw, box: null }
  const text = raw.trim()
  if (/^#{1,6}(?:\s|$)/.test(text)) return { kind: 'heading', text: text.replace(/^#+\s*/, ''), box: null }
  if (text.startsWith('>')) return { kind: 'quote', text: text.slice(1).trim(), box: null }
  if (text.startsWith('|')) return { kind: 'row', text, box: null }
  const mark = ITEM.exec(raw)
  if (!mark) return { kind: 'prose', text, box: null }
  const item = raw.slice(mark[0].length).trim()
  // A heading or a quote inside an item is still one.
  if (/^(?:#{1,6}\s|>)/.test(item)) return lineOf(item, false)
  const box = BOX.exec(item)
  if (!box) return { kind: 'item', text: item, box: null }
  return { kind: 'item', text: item.slice(box[0].length), box: box[1]!.toLowerCase() === 'x' ? 'ticked' : 'open' }
}

/** The line without what it only shows: inline code. One pass; a mark without its partner stays as it is. */
export function withoutInlineCode(text: string, instead = ' '): string {
  const runs = [...text.matchAll(/`+/g)]
  const nextOfLength = new Map<number, number>()
  const partner = new Array<number>(runs.length).fill(-1)
  for (let n = runs.length - 1; n >= 0; n--) {
    const length = runs[n]![0].length
    partner[n] = nextOfLength.get(length) ?? -1
    nextOfLength.set(length, n)
  }
  let out = ''
  let from = 0
  for (let n = 0; n < runs.length; n++) {
    const close = partner[n]!
    if (close < 0) continue
    out += text.slice(from, runs[n]!.index) + instead
    from = runs[close]!.index + runs[close]![0].length
    n = close
  }
  return out + text.slice(from)
}
