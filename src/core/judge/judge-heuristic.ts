import type { Verdict } from '../../contract/loop.ts'
import { cut } from '../plain-text.ts'
import { AFTER_CLAIM, CLAIMS, RESERVES } from './claim-words.ts'
import { CLOSED_ENDS, EXTRA, OPEN_CELL, OPEN_ENDS, OPEN_HEADING, RED_OUTPUT } from './doubt-words.ts'
import { ASKS, GOES_ON, HALT_RESERVES, STANDS_STILL, WAITS, WAITS_NOT } from './halt-words.ts'
import { type MarkdownLine, markdownLines } from './markdown.ts'
import { LONGEST_SENTENCE, sentencesOf } from './sentences.ts'

export type HeuristicVerdict = {
  verdict: Verdict
  /** The sentence that decided. */
  because: string
}

// The longest real messages are some thousand characters. Beyond this nobody wrote it for a reader, and "continue" is free.
const LONGEST_TEXT = 200_000
const MOST_SENTENCES = 5_000
const TOO_LONG = 'It is too long to be judged by its words.'
const LONGEST_REASON = 300
const LONGEST_TITLE = 2_000
const LONGEST_OUTPUT_LINE = 600

/**
 * The free judge: what the agent itself says, in its last message and in what progress.md gained. A wrong "complete" or
 * "stalled" ends a run that should go on, a wrong "continue" costs one iteration; so in doubt it is continue.
 */
export function judgeHeuristically(heard: {
  lastMessage: string
  progressGained: string
  anchor: string
}): HeuristicVerdict {
  if (heard.lastMessage.length + heard.progressGained.length > LONGEST_TEXT) return verdict('continue', TOO_LONG)
  const lines = [...markdownLines(heard.lastMessage), ...markdownLines(heard.progressGained)]
  const anchored = anchorSentences(heard.anchor)
  const own = lines.filter(({ kind }) => kind === 'prose' || kind === 'item')
  const sentences = own.flatMap(sentencesOf).filter(sentence => !anchored.has(bare(sentence)))
  if (sentences.length > MOST_SENTENCES) return verdict('continue', TOO_LONG)
  const short = sentences.filter(({ length }) => length <= LONGEST_SENTENCE)

  const waits = short.find(sentence => matches(WAITS, sentence) && !WAITS_NOT.test(sentence))
  if (waits) return verdict('blocked', waits)

  const title = titleWords(heard.anchor)
  const claim = short.find(sentence => isClaim(sentence, title))
  const halt = short.find(isHalt)
  const open = claim ? openEnd(lines, sentences) : null
  if (claim && !halt && !open) return verdict('complete', claim)

  const asks = short.find(sentence => matches(ASKS, sentence))
  if (asks) return verdict('blocked', asks)
  if (claim) return verdict('continue', `It claims to be complete, beside: ${open ?? halt}`)

  const goesOn = short.find(sentence => GOES_ON.test(sentence))
  if (halt && !goesOn) return verdict('stalled', halt)
  return verdict('continue', goesOn ?? 'Nothing in it claims an end.')
}

function isClaim(sentence: string, title: Set<string>): boolean {
  const claims = CLAIMS.some(pattern => {
    const match = pattern.exec(sentence)
    if (!match || !AFTER_CLAIM.test(sentence.slice(match.index + match[0].length))) return false
    // "The search feature" is the whole only if search is what the anchor's first line is about.
    const named = match.groups?.named
    return named === undefined || title.has(named)
  })
  if (!claims) return false
  const rest = sentence.replace(CLOSED_ENDS, ' ')
  return !matches(RESERVES, rest) && !isPart(rest)
}

/** "3 of 7", "3/7", "80%": a part. "7 of 7" and "100%" are the whole. */
function isPart(sentence: string): boolean {
  for (const [, some, all] of sentence.matchAll(
    /(?<![\d.])(\d{1,9}) ?(?:of|out of|\/|von|de|di) ?(?:the )?(\d{1,9})(?!\d)/g,
  ))
    if (Number(some) !== Number(all)) return true
  return [...sentence.matchAll(/(?<!\d)(\d{1,9})(?:\.\d{1,9})? ?(?:%|percent)/g)].some(
    ([, some]) => Number(some) !== 100,
  )
}

function isHalt(sentence: string): boolean {
  return matches(STANDS_STILL, sentence) && !HALT_RESERVES.test(sentence)
}

/** What stands beside a claim and takes it back: an open box, a red test, work that is left. */
function openEnd(lines: MarkdownLine[], sentences: string[]): string | null {
  const box = lines.find(line => line.box === 'open')
  if (box) return `[ ] ${box.text}`
  for (const { kind, text } of lines) {
    const small = text.slice(0, LONGEST_OUTPUT_LINE).toLowerCase()
    if (kind === 'code' && matches(RED_OUTPUT, small)) return text
    if (kind === 'row' && OPEN_CELL.test(small)) return text
    if (kind === 'heading' && OPEN_HEADING.test(small.replace(CLOSED_ENDS, ' ')) && !EXTRA.test(small)) return text
  }
  const open = sentences.find(
    sentence => sentence.length > LONGEST_SENTENCE || matches(OPEN_ENDS, sentence.replace(CLOSED_ENDS, ' ')),
  )
  return open ?? null
}

function matches(patterns: RegExp[], text: string): boolean {
  return patterns.some(pattern => pattern.test(text))
}

/** The anchor's own sentences: an agent that repeats one is quoting. */
function anchorSentences(anchor: string): Set<string> {
  const lines = markdownLines(anchor.slice(0, LONGEST_TEXT)).filter(({ kind }) => kind !== 'code')
  return new Set(lines.flatMap(line => sentencesOf({ ...line, kind: 'prose' })).map(bare))
}

function titleWords(anchor: string): Set<string> {
  const first = markdownLines(anchor.slice(0, LONGEST_TITLE)).find(({ text }) => text !== '')
  return new Set(first?.text.toLowerCase().match(/[\p{L}-]+/gu))
}

function bare(sentence: string): string {
  return sentence.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

function verdict(word: Verdict, because: string): HeuristicVerdict {
  return { verdict: word, because: cut(because, LONGEST_REASON) }
}
