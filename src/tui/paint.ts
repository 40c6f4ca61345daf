import type { Row, Tone } from './row.ts'

type Depth = 'none' | '16' | '256'

// One colour for one meaning. The sixteen are the user's own, as their terminal has them; of 256 those that stay readable
// on dark and on light.
const SIXTEEN: Record<Tone, string> = {
  text: '',
  dim: '90',
  attention: '33',
  working: '94',
  done: '32',
  failed: '31',
  title: '1',
  key: '36',
}
const MANY: Record<Tone, string> = {
  ...SIXTEEN,
  dim: '38;5;245',
  attention: '38;5;214',
  working: '38;5;75',
  done: '38;5;78',
  failed: '38;5;203',
  key: '38;5;80',
}

/** As many colours as the terminal has, and its user wants. */
export function depthOf(bits: number): Depth {
  if (bits < 4) return 'none'
  return bits >= 8 ? '256' : '16'
}

/** A row as a terminal takes it. Without colours there is no escape in it at all. */
export function paint(row: Row, depth: Depth): string {
  let line = ''
  for (const { text, tone = 'text', bold, inverse } of row) {
    const codes = depth === 'none' ? '' : codesOf(tone, depth, bold, inverse)
    line += codes && text ? `\u001b[${codes}m${text}\u001b[0m` : text
  }
  return line
}

function codesOf(tone: Tone, depth: '16' | '256', bold?: boolean, inverse?: boolean): string {
  const colour = (depth === '256' ? MANY : SIXTEEN)[tone]
  return [bold ? '1' : '', inverse ? '7' : '', colour].filter(Boolean).join(';')
}
