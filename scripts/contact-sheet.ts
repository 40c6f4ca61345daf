// Every view of the terminal dashboard in one picture, to be looked at: node scripts/contact-sheet.ts [file.png] [columns] [rows]
// Made of the same house as the tests of the screens, with whatever somebody could have written. Needs chromium.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Clock } from '../src/tui/clock.ts'
import { frameOf } from '../src/tui/frame.ts'
import type { Row, Span, Tone } from '../src/tui/row.ts'
import { widthOf } from '../src/view/width.ts'
import { board, details, everyUi, NOW } from '../test/tui/stage.ts'

const [file = 'docs/dashboard.png', columns = '80', rows = '24'] = process.argv.slice(2)
const size = { columns: Number(columns), rows: Number(rows) }
const ACROSS = 4
const [CELL, LINE] = [3.62, 8]
const TONES: Record<Tone, string> = {
  ...{ text: '#ddd', dim: '#8a8a8a', attention: '#ffaf00', working: '#5fafff', done: '#5fd787', failed: '#ff5f5f' },
  ...{ title: '#fff', key: '#5fd7d7' },
}

const [house, known] = [board(30), details()]
const pictures = everyUi().map(({ name, ui }) => {
  const frame = frameOf({ board: house, ui, details: known, clock: new Clock(NOW) }, size)
  return `<figure><figcaption>${name}</figcaption><pre>${frame.rows.map(lineOf).join('')}</pre></figure>`
})
const style = `body{margin:8px;background:#444;display:grid;grid-template-columns:repeat(${ACROSS},max-content);gap:8px}
figure{margin:0}figcaption{font:8px sans-serif;color:#fff}pre{margin:0;background:#111;font:6px/${LINE}px 'DejaVu Sans Mono',monospace}
div{height:${LINE}px;width:${size.columns * CELL}px;overflow:hidden;white-space:pre}b{display:inline-block;text-align:center;font-weight:inherit}`
const directory = mkdtempSync(join(tmpdir(), 'contact-sheet-'))
const page = join(directory, 'sheet.html')
writeFileSync(page, `<!doctype html><meta charset="utf-8"><style>${style}</style>${pictures.join('')}`)
const width = Math.ceil(ACROSS * (size.columns * CELL + 8) + 16)
const height = Math.ceil(Math.ceil(pictures.length / ACROSS) * (size.rows * LINE + 20) + 16)
execFileSync('chromium', [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', `--window-size=${width},${height}`],
  ...[`--screenshot=${resolve(file)}`, page],
])
rmSync(directory, { recursive: true })
console.log(`${pictures.length} views of ${size.columns}x${size.rows} are in ${file}`)

function lineOf(row: Row): string {
  return `<div>${row.map(spanOf).join('')}</div>`
}

function spanOf({ text, tone = 'text', bold, inverse }: Span): string {
  const colour = inverse ? `color:#111;background:${TONES[tone]}` : `color:${TONES[tone]}`
  return `<span style="${colour}${bold ? ';font-weight:bold' : ''}">${cells(text)}</span>`
}

/** What is not plain has the columns that we give it, whatever font draws it: what overlaps is seen. */
function cells(text: string): string {
  return [...new Intl.Segmenter().segment(text)]
    .map(({ segment }) => {
      const safe = segment.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
      return /^[ -~─│]$/.test(segment) ? safe : `<b style="width:${widthOf(segment) * CELL}px">${safe}</b>`
    })
    .join('')
}
