import { markdownLines } from './markdown.ts'

/**
 * What progress.md gained in an iteration. Agents append, but some rewrite the whole file: then only lines count that
 * were not there before, or not as often, so that an old claim that moved is not a new one.
 */
export function gainedIn(before: string, after: string): string {
  const isAppended =
    after.startsWith(before) && (before === '' || before.endsWith('\n') || after[before.length] === '\n')
  if (isAppended) return `${openFence(before)}${after.slice(before.length)}`
  const known = new Map<string, number>()
  for (const line of before.split('\n')) {
    const words = folded(line)
    known.set(words, (known.get(words) ?? 0) + 1)
  }
  return after
    .split('\n')
    .filter(line => {
      // Fences stay, known or not: without them new lines inside would read as the agent's own words.
      if (FENCE.test(line)) return true
      const words = folded(line)
      const left = known.get(words) ?? 0
      known.set(words, left - 1)
      return left <= 0
    })
    .join('\n')
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** What is appended inside a code block that was left open is code. */
function openFence(before: string): string {
  if (!/^ {0,3}(?:```|~~~)/m.test(before)) return ''
  // A line of its own at the end is code exactly if a block is still open there.
  const probe = `${before}${before.endsWith('\n') ? '' : '\n'}end`
  if (markdownLines(probe).at(-1)?.kind !== 'code') return ''
  const marks = before.split('\n').flatMap(line => FENCE.exec(line)?.[1] ?? [])
  return `${marks.at(-1) ?? '```'}\n`
}

/** Box, bullet, emphasis and spacing may change when a file is tidied; the words make the line. */
function folded(line: string): string {
  if (line === '') return ''
  return line
    .replace(/^[\s>#*+\-\d.)]{1,40}/, '')
    .replace(/^\[[ xX~]\]/, '')
    .replace(/[*_`\s]/g, '')
    .toLowerCase()
}
