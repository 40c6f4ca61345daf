import { type Node, parseTree, printParseErrorCode, visit } from 'jsonc-parser'
import { RehoboamError } from '../contract/errors.ts'
import { quoted } from '../contract/printable.ts'

/**
 * JSON with places, read by jsonc-parser. JSON.parse forgets where things stood, lets the last of two equal names win in
 * silence, and words its faults differently in each engine; we must name the line, and change one value without touching
 * the rest. We accept exactly what JSON.parse accepts (a test holds this), but not deeper than MAX_DEPTH, and a leading BOM.
 */
export type JsonNode = Node
export type JsonMember = { name: string; property: Node; value: Node }
type JsonFault = { at: number; sentence: string }

export function readJson(text: string): { root: Node } | { fault: JsonFault } {
  // The library takes a byte order mark for an unknown symbol. A space in its place leaves every offset as it was.
  const json = text.replace(/^\ufeff/, ' ')
  const fault = faultIn(json)
  return fault === null ? { root: parseTree(json)! } : { fault }
}

/** Nothing but white space, as an editor leaves it: a file that says nothing yet. */
export function isBlank(text: string): boolean {
  return /^\ufeff?[ \t\r\n]*$/.test(text)
}

/** The object that a file holds, or an error whose words follow the file's name. */
export function objectIn(text: string, code: 'config-wrong' | 'settings-wrong'): JsonNode {
  const read = readJson(text)
  if ('fault' in read) {
    const { line } = placeOf(text, read.fault.at)
    throw new RehoboamError(code, `line ${line}: ${read.fault.sentence}; fix the file first`, { line })
  }
  if (read.root.type === 'object') return read.root
  throw new RehoboamError(code, 'the file does not hold a JSON object; fix it first, it must begin with {', { line: 1 })
}

/** The members of an object in their order. Names may repeat. */
export function membersOf(node: Node): JsonMember[] {
  if (node.type !== 'object') return []
  return node.children!.map(property => {
    const [name, value] = property.children as [Node, Node]
    return { name: name.value, property, value }
  })
}

export function endOf(node: Node): number {
  return node.offset + node.length
}

/** Line and column, both from 1, of an offset. A column is a character, not a UTF-16 half of one. */
export function placeOf(text: string, at: number): { line: number; column: number } {
  const lines = text.slice(0, at).split(/\r\n|\n|\r/)
  return { line: lines.length, column: [...lines.at(-1)!.replace('\ufeff', '')].length + 1 }
}

// Real settings are less than a tenth as deep. The library recurses, so a megabyte of "[" would exhaust the stack.
const MAX_DEPTH = 64
const A_NAME = 'a name in double quotes was expected'
const A_VALUE = 'a value was expected'

class Fault {
  readonly fault: JsonFault
  constructor(at: number, sentence: string) {
    this.fault = { at, sentence }
  }
}

/**
 * Returns the first fault, or null. The library reports faults as numbers, not as sentences, and continues after a fault, so
 * this stops at the first fault and says what was expected there.
 */
function faultIn(text: string): JsonFault | null {
  const brackets: string[] = []
  let expected = A_VALUE
  const open = (bracket: string, first: string) => (at: number) => {
    if (brackets.length > MAX_DEPTH) throw new Fault(at, `it is nested deeper than ${MAX_DEPTH} levels`)
    brackets.push(bracket)
    expected = first
  }
  const finish = () => {
    const bracket = brackets.at(-1)
    expected = bracket === undefined ? 'something stands after the end' : `a comma or ${bracket} was expected`
  }
  const close = () => {
    brackets.pop()
    finish()
  }
  try {
    visit(
      text,
      {
        onObjectBegin: open('}', A_NAME),
        onObjectProperty: name => {
          expected = `a colon was expected after ${quoted(name)}`
        },
        onObjectEnd: close,
        onArrayBegin: open(']', A_VALUE),
        onArrayEnd: close,
        onLiteralValue: finish,
        onSeparator: separator => {
          expected = separator === ',' && brackets.at(-1) === '}' ? A_NAME : A_VALUE
        },
        onError: (code, at, length) => {
          const found = { code: printParseErrorCode(code), at, end: at + length }
          throw faultAt(text, found, expected, brackets.at(-1))
        },
      },
      { disallowComments: true },
    )
    return null
  } catch (error) {
    if (error instanceof Fault) return error.fault
    throw error
  }
}

type Found = { code: string; at: number; end: number }

function faultAt(text: string, { code, at, end }: Found, expected: string, bracket: string | undefined): Fault {
  if (text[at] === '"')
    return expected === A_NAME || expected === A_VALUE ? inQuotes(text, at, code) : new Fault(at, expected)
  if (at === text.length) return new Fault(at, 'the file ends too early: a bracket or a quote is not closed')
  if (code === 'InvalidCommentToken' || text[at] === '#')
    return new Fault(at, 'comments are not possible: the file is plain JSON; delete the comment')
  if (text[at] === "'") return new Fault(at, 'text must be in double quotes, not in single quotes')
  const before = text.slice(0, at).trimEnd()
  if (text[at] === bracket && before.endsWith(','))
    return new Fault(before.length - 1, `the comma before ${bracket} is one too many`)
  // The library ends a number at the first character that does not fit: it reads 01 as the number 0 and then the number 1.
  const start = /[-+.\w]/.test(text[at]!) ? at - /[-+.\w]*$/.exec(text.slice(Math.max(0, at - 100), at))![0].length : at
  const isWord = start < at || (expected === A_VALUE && (code === 'InvalidSymbol' || code === 'UnexpectedEndOfNumber'))
  if (!isWord) return new Fault(at, expected)
  return new Fault(start, `${quoted(text.slice(start, end))} is not valid JSON; text must be in double quotes`)
}

function inQuotes(text: string, start: number, code: string): Fault {
  if (code === 'InvalidEscapeCharacter' || code === 'InvalidUnicode')
    return new Fault(start, 'a backslash inside these quotes is followed by something that JSON does not know')
  let at = start
  while (text.charCodeAt(at) >= 0x20) at++
  if (at === text.length) return new Fault(start, 'the quote that opens here is never closed')
  return new Fault(at, 'a line break, tab or control character stands inside quotes')
}
