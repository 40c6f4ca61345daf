import { RehoboamError } from '../../contract/errors.ts'
import { markIn } from '../../contract/hook-settings.ts'
import { type ListNode, type ObjectNode, objectIn } from '../json-edit.ts'
import { type JsonNode, plain } from '../json-read.ts'

/** One hook of ours in a settings file, wherever it stands now. */
export type Entry = { event: string; matcher: unknown; hook: unknown; version: number; notes: string[] }

/** The object of a settings file; an error with the way out when the file holds none. */
export function settingsIn(text: string): ObjectNode {
  const read = objectIn(text)
  if ('root' in read) return read.root
  throw new RehoboamError('settings-wrong', read.wrong, { line: read.line })
}

export function entriesIn(root: ObjectNode): Entry[] {
  return membersOf(root, 'hooks').flatMap(hooks =>
    objectMembers(hooks).flatMap(({ name, value }) =>
      itemsOf(value).flatMap(group =>
        itemsOf(hookListOf(group)).flatMap(hook => {
          const mark = markOf(hook)
          return mark === null ? [] : [{ event: name, matcher: matcherOf(group), hook: plain(hook), ...mark }]
        }),
      ),
    ),
  )
}

export function markOf(hook: JsonNode): { version: number; notes: string[] } | null {
  const command = membersOf(hook, 'command').at(-1)
  return command?.type === 'scalar' ? markIn(command.value) : null
}

/** Of several members with one name the client reads the last. */
export function hookListOf(group: JsonNode): ListNode | undefined {
  const list = membersOf(group, 'hooks').at(-1)
  return list?.type === 'list' ? list : undefined
}

export function membersOf(node: JsonNode, name: string): JsonNode[] {
  return objectMembers(node).flatMap(member => (member.name === name ? [member.value] : []))
}

export function objectMembers(node: JsonNode): ObjectNode['members'] {
  return node.type === 'object' ? node.members : []
}

export function itemsOf(node: JsonNode | undefined): JsonNode[] {
  return node?.type === 'list' ? node.items : []
}

function matcherOf(group: JsonNode): unknown {
  const matcher = membersOf(group, 'matcher').at(-1)
  return matcher && plain(matcher)
}
