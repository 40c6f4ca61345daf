import { LineReader } from '../../adapters/line-reader.ts'
import { parseStreamLine } from '../../contract/stream.ts'

/** What went on in an iteration, as far as its output or transcript tells: both hold the same messages. */
export type Happenings = { toolCalls: number; errors: string[]; lastText: string | null }

// Enough to see what repeats; a loop that fails a thousand times in one iteration says the same thing.
const MOST_ERRORS = 200
const ERROR_CHARACTERS = 2_000

export async function happeningsIn(files: string[], lineLimitBytes: number): Promise<Happenings> {
  const seen: Happenings = { toolCalls: 0, errors: [], lastText: null }
  for (const file of files) await readInto(seen, file, lineLimitBytes)
  return seen
}

async function readInto(seen: Happenings, file: string, lineLimitBytes: number): Promise<void> {
  const reader = new LineReader(file, 0, lineLimitBytes)
  try {
    for await (const { line } of reader.read({ rest: true })) {
      const parsed = line === null ? null : parseStreamLine(line)
      if (parsed?.type === 'assistant' && parsed.parent === null) {
        seen.toolCalls += parsed.blocks.filter(({ kind }) => kind === 'tool-use').length
        const said = parsed.blocks.flatMap(block => (block.kind === 'text' ? [block.text] : [])).join('\n')
        if (parsed.error) note(seen, `${parsed.error}: ${said}`)
        else if (said.trim()) seen.lastText = said
      } else if (parsed?.type === 'tool-results') {
        for (const { isError, text } of parsed.results) if (isError) note(seen, text)
      } else if (parsed?.type === 'result' && !parsed.isError && parsed.text) seen.lastText = parsed.text
    }
  } finally {
    await reader.close()
  }
}

function note(seen: Happenings, error: string): void {
  if (seen.errors.length < MOST_ERRORS) seen.errors.push(error.slice(0, ERROR_CHARACTERS))
}
