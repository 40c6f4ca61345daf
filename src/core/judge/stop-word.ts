import { markdownLines, withoutInlineCode } from './markdown.ts'

const PROMISE = /<promise>([^<>]{1,200})<\/promise>/gi

/**
 * How the agent itself claims the end: the stop word alone on a line, or `<promise>WORD</promise>`. Only its own words
 * count, not code, headings, quotes, list items and table rows, where the word is named rather than said. What counts
 * and what does not:
 * - capitals as given: `done` is not `DONE`; neither is `UNDONE` or `DONE, mostly`;
 * - emphasis around the word and one `.` or `!` behind it are still the word: `**DONE**`, `DONE.`;
 * - a promise stands alone on its line or behind a finished sentence: "I will write <promise>DONE</promise>" is a plan;
 * - a word alone below "write this line:" is the instruction repeated.
 */
export function claimsIn(heard: {
  lastMessage: string
  progressGained: string
  stopWord: string
}): 'stop-word' | 'promise' | null {
  const word = spaced(heard.stopWord)
  if (word === '') return null
  return claimIn(heard.lastMessage, word) ?? claimIn(heard.progressGained, word)
}

function claimIn(text: string, word: string): 'stop-word' | 'promise' | null {
  let before = ''
  for (const line of markdownLines(text)) {
    if (line.text.trim() === '') continue
    const isInstruction = INSTRUCTION.test(before.slice(-LOOK_BACK))
    before = line.text.trimEnd()
    if (line.kind !== 'prose' || isInstruction) continue
    const said = withoutInlineCode(line.text)
    if (isWord(said, word)) return 'stop-word'
    if (promises(said, word)) return 'promise'
  }
  return null
}

// Only the end of the line above is looked at: an instruction ends with its verb and a colon.
const LOOK_BACK = 200
const INSTRUCTION =
  /\b(?:write|writes|say|says|print|prints|output|outputs|reply|respond|emit|add|append|end with|ends with|answer with|stop word|the line|this line)\b[^.!?]{0,100}:$/i

function isWord(line: string, word: string): boolean {
  const bare = spaced(line)
  // Longer lines cannot be the word with its emphasis; they need not be looked at.
  if (bare.length > word.length + 12) return false
  if (bare === word) return true
  const calm = withoutEmphasis(bare)
  return calm === word || withoutEmphasis(calm.replace(/[.!]$/, '')) === word
}

function promises(line: string, word: string): boolean {
  for (const match of line.matchAll(PROMISE)) {
    if (spaced(match[1]!) !== word) continue
    const before = withoutEmphasis(line.slice(0, match.index).trim())
    const after = withoutEmphasis(line.slice(match.index + match[0].length).trim())
    if (/^[.!]?$/.test(after) && (before === '' || /[.!]$/.test(before))) return true
  }
  return false
}

/** Emphasis that stands on both sides, or on the one side that is there. At most three marks each. */
function withoutEmphasis(text: string): string {
  return text
    .replace(/^[*_]{1,3}/, '')
    .replace(/[*_]{1,3}$/, '')
    .trim()
}

function spaced(text: string): string {
  return text.trim().split(/\s+/).join(' ')
}
