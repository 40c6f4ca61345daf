import { RehoboamError } from '../../contract/errors.ts'
import { HOOK_ROWS, type HookRow, userHooks } from '../../contract/hook-settings.ts'
import { add, edited } from '../json-edit.ts'
import { endOf, isBlank, type JsonNode } from '../json-read.ts'
import { hookListOf, itemsOf, settingsIn, valuesOf } from './entries.ts'
import { isCurrent } from './hooks-installed.ts'
import { withoutHooks } from './remove.ts'
import { BLANK_NOTE, type EmptyHolder, emptyNote, madeNote } from './settings-notes.ts'

/** A settings file as it was found: its text, or how many directories would have to be made for it. */
type Before = { text: string } | { directories: number }

/** The settings text with our hooks in it, once: those of an older version, or of another program, are replaced. */
export function withHooks(before: Before, program: string): string {
  if (!('text' in before)) return intoObject('{}\n', program, madeNote(before.directories))
  if (isBlank(before.text)) return intoBlank(before.text, program)
  if (isCurrent(before.text, program)) return before.text
  const { text, made } = withoutHooks(before.text)
  if (made) return withHooks(made, program)
  return isBlank(text) ? intoBlank(text, program) : intoObject(text, program)
}

/** Behind us stays what the file consisted of: it is all that is left when we go. */
function intoBlank(blank: string, program: string): string {
  return intoObject(
    blank.replace(/^\ufeff?/, mark => `${mark}{}`),
    program,
    BLANK_NOTE,
  )
}

function intoObject(text: string, program: string, note?: string): string {
  const root = settingsIn(text)
  const hooks = only(root, 'hooks')
  if (hooks === undefined) {
    const notes = note ? [note] : emptyNotes('o', text, root)
    const placed = userHooks(program, row => (row === HOOK_ROWS[0] ? notes : []))
    const value = Object.fromEntries(placed.map(({ event, group }) => [event, [group]]))
    return edited(text, [add(text, root, root, [{ name: 'hooks', value }])])
  }
  if (hooks.type !== 'object') throw wrong('"hooks" is not an object')
  const lists = new Map(HOOK_ROWS.map(({ event }) => [event, listOf(hooks, event)]))
  const placed = userHooks(program, row => notesOf(row, text, hooks, lists.get(row.event)))
  const edits = placed.flatMap(({ event, group }) => {
    const list = lists.get(event)
    return list ? [add(text, root, list, [{ value: group }])] : []
  })
  const fresh = placed.filter(({ event }) => !lists.get(event))
  const pieces = fresh.map(({ event, group }) => ({ name: event, value: [group] }))
  if (pieces.length > 0) edits.push(add(text, root, hooks, pieces))
  return edited(text, edits)
}

/** The first entry notes what the "hooks" object held. The entry of an event notes what the list of that event held. */
function notesOf(row: HookRow, text: string, hooks: JsonNode, list: JsonNode | undefined): string[] {
  return [...(row === HOOK_ROWS[0] ? emptyNotes('h', text, hooks) : []), ...(list ? emptyNotes('l', text, list) : [])]
}

function emptyNotes(holder: EmptyHolder, text: string, node: JsonNode): string[] {
  if (node.children!.length > 0) return []
  const inside = text.slice(node.offset + 1, endOf(node) - 1)
  // A file's object is left as {} anyway; only white space in it has to be noted.
  return holder === 'o' && inside === '' ? [] : [emptyNote(holder, inside)]
}

/** An event's list in a shape that the client accepts; it ignores all hooks of a file that has one in another. */
function listOf(hooks: JsonNode, event: string) {
  const list = only(hooks, event)
  if (list === undefined) return undefined
  if (list.type !== 'array') throw wrong(`"${event}" in its hooks is not a list`)
  if (itemsOf(list).some(group => hookListOf(group) === undefined)) {
    throw wrong(`"${event}" in its hooks holds something that has no list of hooks`)
  }
  return list
}

function only(holder: JsonNode, name: string): JsonNode | undefined {
  const [first, ...others] = valuesOf(holder, name)
  if (others.length > 0) throw wrong(`"${name}" stands in it ${others.length + 1} times`)
  return first
}

function wrong(what: string): RehoboamError {
  return new RehoboamError('settings-wrong', `${what}; the client would not run hooks from it: fix the file first`)
}
