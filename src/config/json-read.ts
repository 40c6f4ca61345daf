import { quoted } from '../contract/printable.ts'

/**
 * JSON with places. JSON.parse forgets where things stood, lets the last of two equal names win in silence, and words
 * its faults differently in each engine; we must name the line, and change one value without touching the rest.
 * It accepts exactly what JSON.parse accepts (a test holds this), but not deeper than MAX_DEPTH, and a leading BOM.
 */
export type JsonNode = { start: number; end: number } & (
  | { type: 'object'; members: JsonMember[] }
  | { type: 'list'; items: JsonNode[] }
  | { type: 'scalar'; value: string | number | boolean | null }
)
export type JsonMember = { name: string; start: number; nameEnd: number; value: JsonNode }
export type JsonFault = { at: number; sentence: string }

export function readJson(text: string): { root: JsonNode } | { fault: JsonFault } {
  try {
    return { root: new Reader(text).document() }
  } catch (fault) {
    if (fault instanceof Fault) return { fault: { at: fault.at, sentence: fault.sentence } }
    throw fault
  }
}

export function plain(node: JsonNode): unknown {
  if (node.type === 'scalar') return node.value
  if (node.type === 'list') return node.items.map(plain)
  // fromEntries defines, it does not assign: a name like __proto__ becomes a property and nothing else.
  return Object.fromEntries(node.members.map(member => [member.name, plain(member.value)]))
}

/** Line and column, both from 1, of an offset. A column is a character, not a UTF-16 half of one. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split(/\r\n|\n|\r/)
  return { line: lines.length, column: [...lines.at(-1)!.replace('\ufeff', '')].length + 1 }
}

// Nobody's settings are a tenth as deep. Without an end, a megabyte of "[" would exhaust the stack.
const MAX_DEPTH = 64
const LITERALS = { true: true, false: false, null: null } as const

class Fault {
  readonly at: number
  readonly sentence: string
  constructor(at: number, sentence: string) {
    this.at = at
    this.sentence = sentence
  }
}

class Reader {
  private at: number
  private readonly text: string
  constructor(text: string) {
    this.text = text
    this.at = text.startsWith('\ufeff') ? 1 : 0
  }

  document(): JsonNode {
    const root = this.value(0)
    this.space()
    if (this.at < this.text.length) this.unexpected('something stands after the end')
    return root
  }

  private value(depth: number): JsonNode {
    this.space()
    const start = this.at
    const character = this.text[start]
    if (depth > MAX_DEPTH) throw new Fault(start, `it is nested deeper than ${MAX_DEPTH} levels`)
    if (character === '{') return this.object(start, depth)
    if (character === '[') return this.list(start, depth)
    if (character === '"') return { type: 'scalar', value: this.string(), start, end: this.at }
    return { type: 'scalar', value: this.bare(), start, end: this.at }
  }

  private object(start: number, depth: number): JsonNode {
    const members: JsonMember[] = []
    this.at++
    while (!this.closes('}', members.length)) {
      const nameStart = this.at
      if (this.text[nameStart] !== '"') this.unexpected('a name in double quotes was expected')
      const name = this.string()
      const nameEnd = this.at
      this.space()
      if (this.text[this.at] !== ':') this.unexpected(`a colon was expected after ${quoted(name)}`)
      this.at++
      members.push({ name, start: nameStart, nameEnd, value: this.value(depth + 1) })
    }
    return { type: 'object', members, start, end: this.at }
  }

  private list(start: number, depth: number): JsonNode {
    const items: JsonNode[] = []
    this.at++
    while (!this.closes(']', items.length)) items.push(this.value(depth + 1))
    return { type: 'list', items, start, end: this.at }
  }

  /** At the closing bracket: past it, true. Before a further element: past the comma, false. */
  private closes(bracket: '}' | ']', elements: number): boolean {
    this.space()
    if (this.text[this.at] === bracket) {
      this.at++
      return true
    }
    if (elements === 0) return false
    if (this.text[this.at] !== ',') this.unexpected(`a comma or ${bracket} was expected`)
    const comma = this.at++
    this.space()
    if (this.text[this.at] === bracket) throw new Fault(comma, `the comma before ${bracket} is one too many`)
    return false
  }

  private string(): string {
    const start = this.at
    for (;;) {
      const code = this.text.charCodeAt(++this.at)
      if (Number.isNaN(code)) throw new Fault(start, 'the quote that opens here is never closed')
      if (code === 0x22) break
      if (code === 0x5c) this.at++
      if (code < 0x20) throw new Fault(this.at, 'a line break, tab or control character stands inside quotes')
    }
    this.at++
    try {
      return JSON.parse(this.text.slice(start, this.at))
    } catch {
      throw new Fault(start, 'a backslash inside these quotes is followed by something that JSON does not know')
    }
  }

  private bare(): number | boolean | null {
    const start = this.at
    const run = /[-+.\w]*/y
    run.lastIndex = start
    const found = run.exec(this.text)![0]
    if (Object.hasOwn(LITERALS, found)) {
      this.at += found.length
      return LITERALS[found as keyof typeof LITERALS]
    }
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(found)) {
      this.unexpected(
        found === '' ? 'a value was expected' : `${quoted(found)} is no JSON; text stands in double quotes`,
      )
    }
    this.at += found.length
    return Number(found)
  }

  private space(): void {
    while (' \t\n\r'.includes(this.text[this.at] ?? '.')) this.at++
  }

  private unexpected(otherwise: string): never {
    const rest = this.text.slice(this.at, this.at + 2)
    if (rest === '') throw new Fault(this.at, 'the file ends too early: a bracket or a quote is not closed')
    if (rest === '//' || rest === '/*' || rest[0] === '#') {
      throw new Fault(this.at, 'comments are not possible: the file is plain JSON; delete the comment')
    }
    if (rest[0] === "'") throw new Fault(this.at, 'text stands in double quotes, not in single ones')
    throw new Fault(this.at, otherwise)
  }
}
