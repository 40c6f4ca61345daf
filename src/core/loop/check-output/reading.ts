import { cut } from '../../plain.ts'

/** One named failure. The name stays the same from run to run: no line numbers, times or counters are in it. */
export type Failure = { name: string; file?: string; message?: string }

/** Null: this is not the reader's format. None: it is, and nothing in it failed. Lines are bounded, the text has them whole. */
export type Reader = (lines: string[], text: string) => Failure[] | null

// What a ledger, a prompt and a face can carry. More than this many broken tests are one broken thing.
const MOST_FAILURES = 200
const LONGEST_NAME = 300
const LONGEST_FILE = 300
const LONGEST_MESSAGE = 500

/** Bounded, and each name once: runners repeat themselves in summaries and retries. */
export function collected(found: Failure[]): Failure[] {
  const known = new Map<string, Failure>()
  for (const { name, file, message } of found) {
    if (known.size >= MOST_FAILURES) break
    const words = cut(spaced(name), LONGEST_NAME)
    const key = `${file ?? ''}\n${words}`
    if (words === '' || known.has(key)) continue
    known.set(key, {
      name: words,
      ...(file ? { file: cut(file, LONGEST_FILE) } : {}),
      ...(message?.trim() ? { message: cut(spaced(message), LONGEST_MESSAGE) } : {}),
    })
  }
  return [...known.values()]
}

/** Equal complaints of a compiler about one file are several: when one of them is mended, something has moved. */
export function counted(found: Failure[]): Failure[] {
  const seen = new Map<string, number>()
  return found.map(failure => {
    const key = `${failure.file ?? ''}\n${failure.name}`
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return nth === 1 ? failure : { ...failure, name: `${failure.name} (${nth})` }
  })
}

/** The first line below that says something, within a few lines. */
export function messageBelow(lines: string[], index: number, isEnd?: (line: string) => boolean): string {
  for (const line of lines.slice(index + 1, index + 8)) {
    if (isEnd?.(line)) return ''
    if (line.trim() !== '') return line.trim()
  }
  return ''
}

export function withoutPosition(path: string): string {
  return path.replace(/^file:\/\//, '').replace(/:\d{1,9}(?::\d{1,9})?$/, '')
}

function spaced(text: string): string {
  // Cut before it is split: a name of a megabyte must not become a million words.
  return text.slice(0, 4_000).trim().split(/\s+/).join(' ')
}
