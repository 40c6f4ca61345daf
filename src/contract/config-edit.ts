import { type JsonMember, type JsonNode, placeOf, readJson } from './config-json.ts'
import type { ConfigValue } from './config-kinds.ts'
import { RehoboamError } from './errors.ts'

/** The text of a config file with one key changed; every other byte stays as its owner wrote it. */
export function withValue(text: string, key: string, value: ConfigValue): string {
  if (blank(text))
    return `${text.startsWith('\ufeff') ? '\ufeff' : ''}{\n  ${JSON.stringify(key)}: ${written(value)}\n}\n`
  const [first, ...others] = places(text, key)
  // The same key twice, nested and dotted: the one that we set must be the only one.
  if (others.length > 0) return withValue(removed(text, others.at(-1)!), key, value)
  if (first === undefined) return inserted(text, key, value)
  const old = first.at(-1)!.member.value
  return splice(text, old.start, old.end, written(value, old, text))
}

/** The text without the key, wherever it stands; a group that is left empty goes too. */
export function withoutKey(text: string, key: string): string {
  if (blank(text)) return text
  const found = places(text, key).at(-1)
  return found === undefined ? text : withoutKey(removed(text, found), key)
}

/** From the root down to a member: each step with the object that it stands in. */
type Way = { holder: ObjectNode; member: JsonMember }[]
type ObjectNode = Extract<JsonNode, { type: 'object' }>

function blank(text: string): boolean {
  return /^\ufeff?\s*$/.test(text)
}

function rootOf(text: string): ObjectNode {
  const read = readJson(text)
  if ('fault' in read) {
    const { line } = placeOf(text, read.fault.at)
    throw new RehoboamError('config-wrong', `line ${line}: ${read.fault.sentence}; mend the file first`, { line })
  }
  if (read.root.type !== 'object') {
    throw new RehoboamError('config-wrong', 'the file does not hold a JSON object; mend it first, it begins with {')
  }
  return read.root
}

// Two happen (nested and dotted); each costs one reading of the file, so a file made to be slow is refused.
const MOST_PLACES = 10

function places(text: string, key: string): Way[] {
  const ways = find(rootOf(text), key)
  if (ways.length <= MOST_PLACES) return ways
  throw new RehoboamError('config-wrong', `${key} stands in it ${ways.length} times; mend the file first`, { key })
}

/** Every place of the key: `"a.b"`, `"a": {"b"}`, and mixtures of the two. */
function find(holder: ObjectNode, key: string): Way[] {
  return holder.members.flatMap(member => {
    if (member.name === key) return [[{ holder, member }]]
    if (member.value.type !== 'object' || !key.startsWith(`${member.name}.`)) return []
    return find(member.value, key.slice(member.name.length + 1)).map(way => [{ holder, member }, ...way])
  })
}

/** Into the group that the file has already, else as a dotted name: the same word that the commands use. */
function inserted(text: string, key: string, value: ConfigValue): string {
  const root = rootOf(text)
  const group = root.members.find(({ name, value }) => key.startsWith(`${name}.`) && value.type === 'object')
  if (group === undefined) return added(text, root, key, value, 0)
  return added(text, group.value as ObjectNode, key.slice(group.name.length + 1), value, 1)
}

function added(text: string, holder: ObjectNode, name: string, value: ConfigValue, depth: number): string {
  const last = holder.members.at(-1)
  if (last === undefined) {
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    const indent = /^([ \t]+)"/m.exec(text)?.[1] ?? '  '
    const member = `${JSON.stringify(name)}: ${written(value)}`
    const inside = `${eol}${indent.repeat(depth + 1)}${member}${eol}${indent.repeat(depth)}`
    return splice(text, holder.start + 1, holder.end - 1, inside)
  }
  // What stands before the last member, and between its name and value, is how this file is written.
  const before = text.slice(holder.members.at(-2)?.value.end ?? holder.start, last.start).replace(/^\s*[,{]/, '')
  const colon = text.slice(last.nameEnd, last.value.start)
  return splice(text, last.value.end, last.value.end, `,${before}${JSON.stringify(name)}${colon}${written(value)}`)
}

function removed(text: string, way: Way): string {
  const { holder, member } = way.at(-1)!
  const index = holder.members.indexOf(member)
  const next = holder.members[index + 1]
  if (next !== undefined) return splice(text, member.start, next.start, '')
  const previous = holder.members[index - 1]
  if (previous !== undefined) return splice(text, previous.value.end, member.value.end, '')
  if (way.length > 1) return removed(text, way.slice(0, -1))
  return splice(text, holder.start + 1, holder.end - 1, '')
}

/** A list keeps the white space of the one that it replaces; a new one stands on one line. */
function written(value: ConfigValue, old?: JsonNode, text = ''): string {
  if (!Array.isArray(value)) return JSON.stringify(value)
  const items = value.map(item => JSON.stringify(item))
  if (items.length === 0 || old?.type !== 'list' || old.items.length === 0) return `[${items.join(', ')}]`
  const open = text.slice(old.start + 1, old.items[0]!.start)
  const close = text.slice(old.items.at(-1)!.end, old.end - 1)
  return `[${open}${items.join(`,${open || ' '}`)}${close}]`
}

function splice(text: string, start: number, end: number, replacement: string): string {
  return text.slice(0, start) + replacement + text.slice(end)
}
