import { RehoboamError } from '../contract/errors.ts'
import { add, clear, edited, isBlank, type ObjectNode, objectIn, take } from './json-edit.ts'
import type { JsonMember, JsonNode } from './json-read.ts'
import type { ConfigValue } from './kinds.ts'

/** The text of a config file with one key changed; every other byte stays as its owner wrote it. */
export function withValue(text: string, key: string, value: ConfigValue): string {
  if (isBlank(text))
    return `${text.startsWith('\ufeff') ? '\ufeff' : ''}{\n  ${JSON.stringify(key)}: ${written(value)}\n}\n`
  const [first, ...others] = places(text, key)
  // The same key twice, nested and dotted: the one that we set must be the only one.
  if (others.length > 0) return withValue(removed(text, others.at(-1)!), key, value)
  if (first === undefined) return inserted(text, key, value)
  const old = first.at(-1)!.member.value
  return edited(text, [{ start: old.start, end: old.end, text: written(value, old, text) }])
}

/** The text without the key, wherever it stands; a group that is left empty goes too. */
export function withoutKey(text: string, key: string): string {
  if (isBlank(text)) return text
  const found = places(text, key).at(-1)
  return found === undefined ? text : withoutKey(removed(text, found), key)
}

/** From the root down to a member: each step with the object that it stands in. */
type Way = { holder: ObjectNode; member: JsonMember }[]

function rootOf(text: string): ObjectNode {
  const read = objectIn(text)
  if ('root' in read) return read.root
  throw new RehoboamError('config-wrong', read.wrong, { line: read.line })
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
  const holder = group === undefined ? root : (group.value as ObjectNode)
  const name = group === undefined ? key : key.slice(group.name.length + 1)
  return edited(text, [add(text, root, holder, [{ name, value: () => written(value) }])])
}

function removed(text: string, way: Way): string {
  const { holder, member } = way.at(-1)!
  if (holder.members.length > 1) return edited(text, take(holder, new Set([holder.members.indexOf(member)])))
  if (way.length > 1) return removed(text, way.slice(0, -1))
  return edited(text, [clear(holder)])
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
