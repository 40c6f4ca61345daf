import type { Question } from '../contract/question.ts'
import { plainBlock, plainLine, wrapTo } from './plain.ts'
import { table } from './run-words.ts'
import { widthOf } from './width.ts'
import { agoWords, durationWords, numberOf } from './words.ts'

// Whoever allows a command must see all of it; what is longer than this nobody reads, and it says so.
const TEXT_LINES = 20
const ONE_LINE = 4_000
const INDENT = '    '

/**
 * Questions for a person to decide, the text of each whole: beside its head where it fits, else below it. Without a
 * screen (`columns` is infinite) each text is one line.
 */
export function inboxLines(questions: Question[], now: number, columns = Number.POSITIVE_INFINITY): string[] {
  const heads = table([['id', 'kind', 'asked', 'project', 'what'], ...questions.map(question => headOf(question, now))])
  const [title = '', ...rest] = heads
  return [title, ...questions.flatMap((question, n) => entryOf(rest[n] ?? '', title.length - 4, question, columns))]
}

/** The last line: how many of which, how to answer, and whether it is quiet. */
export function inboxFooter(questions: Question[], mutedUntil: string | null, now: number): string[] {
  const kinds = [...new Set(questions.map(({ kind }) => kind))]
  const counts = kinds.map(kind => numberOf(questions.filter(question => question.kind === kind).length, kind))
  return [
    ...(questions.length ? [`${counts.join(', ')}; rehoboam allow ID..., deny ID..., answer ID "<text>"`] : []),
    ...mutedWords(mutedUntil, now),
  ]
}

export function mutedWords(mutedUntil: string | null, now: number): string[] {
  if (mutedUntil === null) return []
  const left = durationWords(Date.parse(mutedUntil) - now)
  return [`muted for another ${left}: no bell, no notices; rehoboam inbox unmute ends it`]
}

/** A question beside its run, with what to type. */
export function askedWords({ id, kind, text }: Question): string {
  return `${plainLine(text, 400)}  (rehoboam ${kind === 'permission' ? 'allow' : 'answer'} ${id.slice(0, 8)})`
}

function headOf({ id, kind, since, project }: Question, now: number): string[] {
  return [id.slice(0, 8), kind, agoWords(now - Date.parse(since)), plainLine(folder(project), 24), '']
}

/** `at` is where the column of texts begins. */
function entryOf(head: string, at: number, { text, options, why }: Question, columns: number): string[] {
  const line = plainLine(text, ONE_LINE)
  const isOneLine = !plainBlock(text).trim().includes('\n') || columns === Number.POSITIVE_INFINITY
  const fits = isOneLine && at + widthOf(line) <= columns
  const below = [
    ...options.map((option, n) => `${n + 1}  ${plainLine(option, 300)}`),
    ...(why ? [`(${plainLine(why, 300)})`] : []),
  ]
  return [
    fits ? `${head}${' '.repeat(at - widthOf(head))}${line}` : head,
    ...(fits ? [] : blockOf(text, columns)),
    ...below.flatMap(words => wrapTo(words, columns - INDENT.length).map(part => INDENT + part)),
  ]
}

function blockOf(text: string, columns: number): string[] {
  const lines = plainBlock(text)
    .trim()
    .split('\n')
    .flatMap(line => wrapTo(line, columns - INDENT.length))
  const more = lines.length - TEXT_LINES
  const shown =
    more > 0 ? [...lines.slice(0, TEXT_LINES), `… ${numberOf(more, 'more line')}: --json has all of it`] : lines
  return shown.map(line => INDENT + line)
}

function folder(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? path
}
