import { cut } from '../../plain-text.ts'

/** One named failure. The name stays the same from run to run: no line numbers, times or counters are in it. */
export type Failure = { name: string; file?: string; line?: number; message?: string }

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
  for (const { name, file, line, message } of found) {
    if (known.size >= MOST_FAILURES) break
    const words = cut(spaced(name), LONGEST_NAME)
    const key = `${file ?? ''}\n${words}`
    if (words === '' || known.has(key)) continue
    known.set(key, {
      name: words,
      ...(file ? { file: cut(file, LONGEST_FILE) } : {}),
      ...(file && line ? { line } : {}),
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

/** `path`, `path:line` and `path:line:column`. */
export function placeOf(text: string): { file: string; line?: number } {
  const path = text.replace(/^file:\/\//, '')
  const [, file, line] = /^(.+?):(\d{1,9})(?::\d{1,9})?$/.exec(path) ?? []
  return file ? { file, line: Number(line) } : { file: path }
}

// A report of one failure with its code and its stack; far below it stands another one's.
const NEAR_BELOW = 60

/** Where in its file: the first place in that file that a report names below its title. */
export function lineBelow(
  lines: string[],
  index: number,
  file: string,
  isEnd: (line: string) => boolean,
): { line?: number } {
  if (file === '') return {}
  for (const below of lines.slice(index + 1, index + 1 + NEAR_BELOW)) {
    if (isEnd(below)) return {}
    const at = below.indexOf(`${file}:`)
    const line = at < 0 ? null : /^\d{1,9}/.exec(below.slice(at + file.length + 1, at + file.length + 11))
    if (line) return { line: Number(line[0]) }
  }
  return {}
}

function spaced(text: string): string {
  // Cut before it is split: a name of a megabyte must not become a million words.
  return text.slice(0, 4_000).trim().split(/\s+/).join(' ')
}
