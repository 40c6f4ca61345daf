import { RehoboamError } from '../contract/errors.ts'
import { add, clear, edited, onOneLine, take } from './json-edit.ts'
import { endOf, isBlank, type JsonMember, type JsonNode, membersOf, objectIn } from './json-read.ts'
import type { ConfigValue } from './kinds.ts'

/** The text of a config file with one key changed; every other byte stays as its owner wrote it. */
export function withValue(text: string, key: string, value: ConfigValue): string {
  if (isBlank(text))
    return `${text.startsWith('\ufeff') ? '\ufeff' : ''}{\n  ${JSON.stringify(key)}: ${onOneLine(value)}\n}\n`
  const [first, ...others] = places(text, key)
  // The same key twice, nested and dotted: the one that we set must be the only one.
  if (others.length > 0) return withValue(removed(text, others.at(-1)!), key, value)
  if (first === undefined) return inserted(text, key, value)
  const old = first.at(-1)!.member.value
  return edited(text, [{ start: old.offset, end: endOf(old), text: written(value, old, text) }])
}

/** The text without the key, wherever it stands; a group that is left empty goes too. */
export function withoutKey(text: string, key: string): string {
  if (isBlank(text)) return text
  const found = places(text, key).at(-1)
  return found === undefined ? text : withoutKey(removed(text, found), key)
}

/** From the root down to a member: each step with the object that it stands in. */
type Way = { holder: JsonNode; member: JsonMember }[]

// Two happen (nested and dotted); each costs one reading of the file, so a file made to be slow is refused.
const MOST_PLACES = 10

function places(text: string, key: string): Way[] {
  const ways = find(objectIn(text, 'config-wrong'), key)
  if (ways.length <= MOST_PLACES) return ways
  throw new RehoboamError('config-wrong', `${key} stands in it ${ways.length} times; fix the file first`, { key })
}

/** Every place of the key: `"a.b"`, `"a": {"b"}`, and mixtures of the two. */
function find(holder: JsonNode, key: string): Way[] {
  return membersOf(holder).flatMap(member => {
    if (member.name === key) return [[{ holder, member }]]
    if (!key.startsWith(`${member.name}.`)) return []
    return find(member.value, key.slice(member.name.length + 1)).map(way => [{ holder, member }, ...way])
  })
}

/** Into the group that the file has already, else as a dotted name: the same word that the commands use. */
function inserted(text: string, key: string, value: ConfigValue): string {
  const root = objectIn(text, 'config-wrong')
  const group = membersOf(root).find(({ name, value }) => key.startsWith(`${name}.`) && value.type === 'object')
  const holder = group === undefined ? root : group.value
  const name = group === undefined ? key : key.slice(group.name.length + 1)
  return edited(text, [add(text, root, holder, [{ name, value, oneLine: true }])])
}

function removed(text: string, way: Way): string {
  const { holder, member } = way.at(-1)!
  const elements = holder.children!
  if (elements.length > 1) return edited(text, take(holder, new Set([elements.indexOf(member.property)])))
  if (way.length > 1) return removed(text, way.slice(0, -1))
  return edited(text, [clear(holder)])
}

/** A list keeps the white space of the list that it replaces. Every other value is written on one line. */
function written(value: ConfigValue, old: JsonNode, text: string): string {
  if (!Array.isArray(value) || value.length === 0 || !old.children?.length) return onOneLine(value)
  const open = text.slice(old.offset + 1, old.children[0]!.offset)
  const close = text.slice(endOf(old.children.at(-1)!), endOf(old) - 1)
  return `[${open}${value.map(item => JSON.stringify(item)).join(`,${open || ' '}`)}${close}]`
}
