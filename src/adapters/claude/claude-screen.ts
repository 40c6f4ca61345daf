/** What stands in the client's input box on a captured screen. `hidden`: something else has the keys, a prompt or a list. */
export type InputBox = { is: 'empty' } | { is: 'draft'; text: string } | { is: 'hidden' }

/** Reads a screen that was captured with its colours: a hint that only looks like text is dim. */
export function inputBox(screen: string): InputBox {
  const lines = screen.split('\n')
  // The box is a line between two rules at the bottom; above it, sent prompts begin with the same sign.
  const at = lines.findLastIndex((line, n) => /^[❯>](\s|$)/.test(plain(line)) && isRule(lines[n - 1] ?? ''))
  if (at === -1) return { is: 'hidden' }
  const shown = lines[at]!
  const text = plain(shown.replace(DIM, '')).slice(1).trim()
  return text === '' ? { is: 'empty' } : { is: 'draft', text: text.slice(0, 200) }
}

function isRule(line: string): boolean {
  return /^─{10}/.test(plain(line))
}

const ESC = '\u001b'
const COLOURS = new RegExp(`${ESC}\\[[0-9;]*m`, 'g')
// From where the terminal is told to be dim, at most with the one inverted character of the cursor before it.
const DIM = new RegExp(`(?:${ESC}\\[[0-9;]*7m.)?${ESC}\\[(?:[0-9;]*;)?2m.*`)

function plain(line: string): string {
  return line.replace(COLOURS, '')
}
