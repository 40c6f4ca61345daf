import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const paper = (name: string) => readFileSync(join(root, name), 'utf8')

/** The fenced blocks of a paper that are written in one language. */
export function blocks(name: string, language: string): string[] {
  const fences = paper(name).matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)
  return [...fences].flatMap(([, of, text]) => (of === language ? [text!] : []))
}

/** What a paper shows to be typed, in a block or between backticks: the words, the command, and the word after it. */
export function commandsIn(name: string): RegExpMatchArray[] {
  const code = [...paper(name).matchAll(/^```(?:sh|text)?\n([\s\S]*?)^```$|`(rehoboam [^`\n]+)`/gm)]
  const lines = code.flatMap(([, block, inline]) => (block ?? inline ?? '').split('\n'))
  return lines.flatMap(line => [...line.matchAll(/(?<![\w/.-])rehoboam ([a-z]+) ?([a-z]*)[^#)]*/g)])
}

/** The output of a demo without what differs from one demo to the next. */
export function constant(text: string): string {
  return text
    .replace(/rehoboam-demo-\w{6}/g, 'rehoboam-demo')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'uuid')
    .replace(/\b(run|resume) [a-z0-9]{8}\b/g, '$1 id')
    .replace(/\b\d+ (m?s)\b/g, 'some $1')
    .replace(/some ms/g, 'some s')
    .replace(/\b\d+ m some s\b/g, 'some s')
    .trim()
}
