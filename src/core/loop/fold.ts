import { cut, plain } from '../plain-text.ts'

// Enough to tell two ends apart; what differs only in the middle of a long message is the same end.
const END_HEAD = 1_000
const END_TAIL = 1_000
const LONGEST_ERROR = 4_000
const LONGEST_KEY = 200

/** A last message without what differs from one time to the next: digits, so times too, white space and capitals. */
export function foldEnd(message: string): string {
  const short =
    message.length <= 4 * (END_HEAD + END_TAIL)
      ? message
      : `${message.slice(0, 4 * END_HEAD)} ${message.slice(-4 * END_TAIL)}`
  const folded = numberless(plain(short).toLowerCase()).split(/\s+/).filter(Boolean).join(' ')
  return folded.length <= END_HEAD + END_TAIL ? folded : `${folded.slice(0, END_HEAD)} … ${folded.slice(-END_TAIL)}`
}

/**
 * An error's key: equal for the same error in another file, at another line, with another id. The first lines say what
 * happened; the stack below them says where, which is what must not count.
 */
export function foldError(error: string): string {
  const lines = plain(error.slice(0, LONGEST_ERROR))
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !/^at\s/.test(line))
  const words = lines
    .slice(0, 3)
    .join(' ')
    .split(/\s+/)
    .map(word => folded(word))
  return cut(words.filter(Boolean).join(' ').toLowerCase(), LONGEST_KEY)
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
// A word of hexadecimal digits with at least one digit: "defaced" is a word.
const HASH = /(?<![0-9a-z])(?=[a-f]{0,63}\d)[0-9a-f]{7,64}(?![0-9a-z])/gi

function folded(word: string): string {
  if (/^[^\p{L}\p{N}]{0,8}[a-z][a-z0-9+.-]{0,20}:\/\//iu.test(word)) return 'URL'
  // A slash inside a word is a path, or as good as one (and/or): both fold alike each time.
  if (/[\\/][^\s\\/]/.test(word) || /^[^\p{L}\p{N}]{0,8}[\w-]{1,100}\.[a-z]{1,5}:\d/iu.test(word)) return 'PATH'
  return numberless(word.replace(UUID, 'ID').replace(HASH, 'ID'))
}

/** Numbers of any length, with their points and colons, become one sign. */
function numberless(text: string): string {
  return text.replace(/\d+(?:[.,:]\d+)*/g, '0')
}
