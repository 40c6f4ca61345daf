import { getNodeValue } from 'jsonc-parser'
import { markIn } from '../../contract/hook-settings.ts'
import { type JsonNode, membersOf, objectIn } from '../json-read.ts'

/** One hook of ours in a settings file, wherever it stands now. */
export type Entry = { event: string; matcher: unknown; hook: unknown; version: number; notes: string[] }

/** The object of a settings file; an error with the way out when the file holds none. */
export function settingsIn(text: string): JsonNode {
  return objectIn(text, 'settings-wrong')
}

export function entriesIn(root: JsonNode): Entry[] {
  return valuesOf(root, 'hooks').flatMap(hooks =>
    membersOf(hooks).flatMap(({ name, value }) =>
      itemsOf(value).flatMap(group =>
        itemsOf(hookListOf(group)).flatMap(hook => {
          const mark = markOf(hook)
          return mark === null ? [] : [{ event: name, matcher: matcherOf(group), hook: getNodeValue(hook), ...mark }]
        }),
      ),
    ),
  )
}

export function markOf(hook: JsonNode): { version: number; notes: string[] } | null {
  return markIn(valuesOf(hook, 'command').at(-1)?.value)
}

/** Of several members with one name the client reads the last. */
export function hookListOf(group: JsonNode): JsonNode | undefined {
  const list = valuesOf(group, 'hooks').at(-1)
  return list?.type === 'array' ? list : undefined
}

export function valuesOf(node: JsonNode, name: string): JsonNode[] {
  return membersOf(node).flatMap(member => (member.name === name ? [member.value] : []))
}

export function itemsOf(node: JsonNode | undefined): JsonNode[] {
  return node?.type === 'array' ? node.children! : []
}

function matcherOf(group: JsonNode): unknown {
  const matcher = valuesOf(group, 'matcher').at(-1)
  return matcher && getNodeValue(matcher)
}
