import type { HereDoc, Redirection } from 'unbash'
import type { Part } from './parts.ts'
import { readBody, readWord, type WordSeen } from './word.ts'

/** The files that a redirection reads or writes; what it hands over as text is only looked through for commands. */
export function readRedirection(redirect: Redirection, seen: WordSeen): Part[] {
  if (redirect.type === 'HereDoc') return readHereDoc(redirect, seen)
  if (redirect.target === undefined) return [{ type: 'unclear', why: 'a redirection to nowhere' }]
  const word = readWord(redirect.target, seen)
  if (redirect.descriptor?.type === 'FileDescriptorVariable') seen.unclear('it sets a variable')
  if (redirect.type === 'HereString') return []
  const { operator } = redirect
  const copies = operator === '>&' || operator === '<&'
  if (copies && /^(?:[0-9]|-)$/.test(word.text)) return []
  const write: Part[] = operator === '<' || operator === '<&' ? [] : [{ type: 'file', use: 'Write', word }]
  return operator.startsWith('<') ? [{ type: 'file', use: 'Read', word }, ...write] : write
}

function readHereDoc({ delimiter, body, closing }: HereDoc, seen: WordSeen): Part[] {
  const plain = delimiter !== undefined && /^(?:\w+|'\w+'|"\w+")$/.test(delimiter.text)
  if (!plain || closing === undefined) seen.unclear('a here-document whose end is not plain to see')
  if (delimiter?.quoted) return []
  if (/\\\n/.test(body.text)) seen.unclear('a \\ at the end of a line')
  if (body.parts === undefined) {
    // Nothing to expand was found; a second look at what could have been.
    if (/[$`]/.test(body.text.replace(/\\[^\n]/g, ''))) seen.unclear('a here-document that is not plain to read')
  } else readBody(body.parts, seen)
  return []
}
