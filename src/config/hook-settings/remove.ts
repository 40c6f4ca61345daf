import { clear, type Edit, edited, take } from '../json-edit.ts'
import { endOf, isBlank, type JsonNode, membersOf } from '../json-read.ts'
import { entriesIn, hookListOf, itemsOf, markOf, settingsIn } from './entries.ts'
import { BLANK_NOTE, insideIn, madeIn } from './settings-notes.ts'

type Removed = {
  text: string
  /** How many hooks went. */
  hooks: number
  /** The file was made by us and nothing but us was in it: it can go, with so many directories. */
  made: { directories: number } | null
}

/** A settings text without our hooks, of whatever version; everything else as it stands. */
export function withoutHooks(text: string): Removed {
  if (isBlank(text)) return { text, hooks: 0, made: null }
  const root = settingsIn(text)
  const entries = entriesIn(root)
  if (entries.length === 0) return { text, hooks: 0, made: null }
  const notes = entries.flatMap(entry => entry.notes)
  const fates = membersOf(root).map(({ name, value }) => (name === 'hooks' ? hooksFate(value, notes) : STAYS))
  const isEmptied = fates.every(({ goes }) => goes)
  const wasBlank = isEmptied && notes.includes(BLANK_NOTE)
  const { edits } = wasBlank
    ? { edits: [{ start: root.offset, end: endOf(root), text: '' }] }
    : fateOf(root, fates, insideIn(notes, 'o') ?? '')
  const directories = isEmptied ? madeIn(notes) : null
  return { text: edited(text, edits), hooks: entries.length, made: directories === null ? null : { directories } }
}

/** What becomes of a part of the file when our hooks go: it goes as a whole, or stays with changes inside. */
type Fate = { goes: boolean; edits: Edit[] }

const STAYS: Fate = { goes: false, edits: [] }
const GOES: Fate = { goes: true, edits: [] }

function hooksFate(hooks: JsonNode, notes: string[]): Fate {
  if (hooks.type !== 'object') return STAYS
  const fates = membersOf(hooks).map(({ value }) => eventFate(value))
  return fateOf(hooks, fates, insideIn(notes, 'h'))
}

function eventFate(event: JsonNode): Fate {
  if (event.type !== 'array') return STAYS
  const notes = itemsOf(event).flatMap(group => itemsOf(hookListOf(group)).flatMap(hook => markOf(hook)?.notes ?? []))
  return fateOf(event, itemsOf(event).map(groupFate), insideIn(notes, 'l'))
}

function groupFate(group: JsonNode): Fate {
  const list = hookListOf(group)
  if (list === undefined) return STAYS
  const fates = itemsOf(list).map(hook => (markOf(hook) === null ? STAYS : GOES))
  return fateOf(list, fates, null)
}

/** `inside`: what a holder that was there before us is left with when all in it goes; null: it goes too. */
function fateOf(holder: JsonNode, fates: Fate[], inside: string | null): Fate {
  const gone = new Set(fates.flatMap(({ goes }, index) => (goes ? [index] : [])))
  const edits = fates.flatMap(fate => fate.edits)
  if (gone.size === 0) return { goes: false, edits }
  if (gone.size < fates.length) return { goes: false, edits: [...take(holder, gone), ...edits] }
  return inside === null ? GOES : { goes: false, edits: [clear(holder, inside)] }
}
