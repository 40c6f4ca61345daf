import type { Failure, Reader } from './reading.ts'

type Tag = { name: string; attributes: string; isEnd: boolean; isEmpty: boolean; after: number }

/** JUnit's XML as test runners write it: `testcase` with a `failure` or an `error` inside. */
export const readJunit: Reader = (_, text) => {
  const start = text.search(/<testsuites?[\s>]/)
  if (start < 0) return null
  const failures: Failure[] = []
  let test: { failure: Failure; hasFailed: boolean; isSkipped: boolean } | null = null
  for (const tag of tagsFrom(text, start)) {
    if (tag.name === 'testcase' && !tag.isEnd) {
      test = tag.isEmpty ? null : { failure: named(tag.attributes), hasFailed: false, isSkipped: false }
    } else if (tag.name === 'testcase' && test) {
      if (test.hasFailed && !test.isSkipped) failures.push(test.failure)
      test = null
    } else if (test && !tag.isEnd && (tag.name === 'failure' || tag.name === 'error')) {
      test.hasFailed = true
      const message = attribute(tag.attributes, 'message') ?? firstLine(text.slice(tag.after, tag.after + 500))
      if (message) test.failure.message ??= message
    } else if (test && tag.name === 'skipped') test.isSkipped = true
  }
  return failures
}

function named(attributes: string): Failure {
  const name = attribute(attributes, 'name') ?? ''
  const group = attribute(attributes, 'classname') ?? ''
  const file = attribute(attributes, 'file') ?? (/[\\/]|\.[cm]?[jt]sx?$/.test(group) ? group : undefined)
  // Node calls every test outside of a group "test".
  const isGroup = group !== '' && group !== file && group !== 'test' && group !== name
  return { name: isGroup ? `${group} > ${name}` : name, ...(file ? { file } : {}) }
}

/** One pass by hand: a pattern for tags with quoted attributes would go back over what an unclosed quote has swallowed. */
function* tagsFrom(text: string, start: number): Generator<Tag> {
  let at = start
  while (true) {
    const from = text.indexOf('<', at)
    if (from < 0) return
    const skipped = SPANS.find(([open]) => text.startsWith(open, from))
    const to = skipped ? text.indexOf(skipped[1], from) : tagEnd(text, from)
    if (to < 0) return
    at = to + (skipped ? skipped[1].length : 1)
    if (skipped) continue
    const inside = text.slice(from + 1, to)
    const name = /^\/?([\w:.-]{1,100})/.exec(inside)?.[1]
    if (!name) continue
    yield {
      name,
      attributes: inside.slice(name.length, name.length + LONGEST_ATTRIBUTES),
      isEnd: inside.startsWith('/'),
      isEmpty: inside.endsWith('/'),
      after: at,
    }
  }
}

const SPANS = [
  ['<![CDATA[', ']]>'],
  ['<!--', '-->'],
  ['<?', '?>'],
] as const
const LONGEST_ATTRIBUTES = 20_000

function tagEnd(text: string, from: number): number {
  let quote = ''
  for (let at = from + 1; at < text.length; at++) {
    const character = text[at]!
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '>') return at
  }
  return -1
}

function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  return match ? unescaped(match[1] ?? match[2] ?? '') : undefined
}

function firstLine(text: string): string {
  const inside = text.startsWith('<![CDATA[') ? text.slice(9) : text.split('<')[0]!
  return unescaped(inside.trim().split('\n')[0] ?? '')
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescaped(text: string): string {
  return text.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi, (whole, word, decimal, hex) => {
    if (word) return ENTITIES[word.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    // What a terminal could obey does not come back in by this door.
    return code >= 32 && code !== 127 && !(code >= 128 && code < 160) && code <= 0x10ffff
      ? String.fromCodePoint(code)
      : ' '
  })
}
