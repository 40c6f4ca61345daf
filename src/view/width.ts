/** How many columns a text takes on a terminal: Chinese, Japanese, Korean and emoji take two for what a reader calls one. */
export function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length
  let columns = 0
  for (const { segment } of GRAPHEMES.segment(text)) columns += graphemeWidth(segment)
  return columns
}

/** Most of what we print, and far cheaper to count: letters, punctuation, and what lines and bars are drawn with. */
const NARROW =
  /^[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2212\u2500-\u25fc\u2713\u2717]*$/

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function graphemeWidth(grapheme: string): number {
  if (NOTHING.test(grapheme)) return 0
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1
}

const NOTHING = /^[\p{Cc}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}]*$/v
/** A picture by itself, or one that a selector makes a picture. */
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/v
/** The blocks that Unicode calls East Asian wide or fullwidth (UAX 11), by their first character. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/v
