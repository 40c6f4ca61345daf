import { AFTER_CLAIM, CLAIMS, RESERVES } from './claim-words.ts'
import { CLOSED_ENDS, EXTRA, OPEN_CELL, OPEN_ENDS, OPEN_HEADING, RED_OUTPUT } from './doubt-words.ts'
import { GOES_ON, HALT_RESERVES, STANDS_STILL, WAITS } from './halt-words.ts'
import { type MarkdownLine, markdownLines } from './markdown.ts'
import { sentencesOf } from './sentences.ts'

export type HeuristicVerdict = {
  verdict: 'continue' | 'complete' | 'stalled' | 'blocked'
  /** The sentence that decided. */
  because: string
}

// The longest real messages are some thousand characters. Beyond this nobody wrote it for a reader, and "continue" is free.
const LONGEST_TEXT = 1_000_000
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
  if (heard.lastMessage.length + heard.progressGained.length > LONGEST_TEXT)
    return verdict('continue', 'The message is too long to be judged by its words.')
  const lines = [...markdownLines(heard.lastMessage), ...markdownLines(heard.progressGained)]
  const anchored = anchorSentences(heard.anchor)
  const own = lines.filter(({ kind }) => kind === 'prose' || kind === 'item')
  const sentences = own.flatMap(sentencesOf).filter(sentence => !anchored.has(bare(sentence)))

  const waits = sentences.find(sentence => WAITS.some(pattern => pattern.test(sentence)))
  if (waits) return verdict('blocked', waits)

  const title = titleWords(heard.anchor)
  const claim = sentences.find(sentence => isClaim(sentence, title))
  const halt = sentences.find(isHalt)
  if (claim && halt) return verdict('continue', `It says both: ${claim} / ${halt}`)
  if (claim) {
    const open = openEnd(lines, sentences)
    return open ? verdict('continue', `It claims to be complete, beside: ${open}`) : verdict('complete', claim)
  }
  if (halt) {
    const goesOn = sentences.find(sentence => GOES_ON.test(sentence))
    return goesOn ? verdict('continue', goesOn) : verdict('stalled', halt)
  }
  return verdict('continue', 'Nothing in it claims an end.')
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
  return !RESERVES.some(pattern => pattern.test(rest)) && !isPart(rest)
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
  return STANDS_STILL.some(pattern => pattern.test(sentence)) && !HALT_RESERVES.test(sentence)
}

/** What stands beside a claim and takes it back: an open box, a red test, work that is left. */
function openEnd(lines: MarkdownLine[], sentences: string[]): string | null {
  const box = lines.find(line => line.box === 'open')
  if (box) return `[ ] ${box.text}`
  for (const { kind, text } of lines) {
    const small = text.slice(0, LONGEST_OUTPUT_LINE).toLowerCase()
    if (kind === 'code' && RED_OUTPUT.some(pattern => pattern.test(small))) return text
    if (kind === 'row' && OPEN_CELL.test(small)) return text
    if (kind === 'heading' && OPEN_HEADING.test(small.replace(CLOSED_ENDS, ' ')) && !EXTRA.test(small)) return text
  }
  return (
    sentences.find(sentence => {
      const rest = sentence.replace(CLOSED_ENDS, ' ')
      return OPEN_ENDS.some(pattern => pattern.test(rest))
    }) ?? null
  )
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

function verdict(word: HeuristicVerdict['verdict'], because: string): HeuristicVerdict {
  return {
    verdict: word,
    because: because.length > LONGEST_REASON ? `${because.slice(0, LONGEST_REASON - 1)}…` : because,
  }
}
