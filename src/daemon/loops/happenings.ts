import { LineReader } from '../../adapters/line-reader.ts'
import { parseStreamLine } from '../../contract/stream.ts'
import { parseTranscriptLine } from '../../contract/transcript.ts'

/** What went on in an iteration, as far as its output or its transcript tells. */
type Happenings = { toolCalls: number; errors: string[]; lastText: string | null }

/** Where it stands: what a headless session wrote to us, or what the client of a pane wrote for itself. */
export type SessionRecord = { file: string; form: 'stream' | 'transcript' }

// Enough to see what repeats; a loop that fails a thousand times in one iteration says the same thing.
const MOST_ERRORS = 200
const ERROR_CHARACTERS = 2_000

export async function happeningsIn(records: SessionRecord[], lineLimitBytes: number): Promise<Happenings> {
  const seen: Happenings = { toolCalls: 0, errors: [], lastText: null }
  for (const { file, form } of records) {
    const reader = new LineReader(file, 0, lineLimitBytes)
    try {
      for await (const { line } of reader.read({ rest: true })) {
        if (line !== null) (form === 'stream' ? readStream : readTranscript)(seen, line)
      }
    } finally {
      await reader.close()
    }
  }
  return seen
}

function readStream(seen: Happenings, line: string): void {
  const parsed = parseStreamLine(line)
  if (parsed.type === 'assistant' && parsed.parent === null) {
    seen.toolCalls += parsed.blocks.filter(({ kind }) => kind === 'tool-use').length
    const said = parsed.blocks.flatMap(block => (block.kind === 'text' ? [block.text] : [])).join('\n')
    if (parsed.error) note(seen, `${parsed.error}: ${said}`)
    else if (said.trim()) seen.lastText = said
  } else if (parsed.type === 'tool-results') {
    for (const { isError, text } of parsed.results) if (isError) note(seen, text)
  } else if (parsed.type === 'result' && !parsed.isError && parsed.text) seen.lastText = parsed.text
}

// Who speaks in the model's place when it could not be asked.
const SYNTHETIC = '<synthetic>'

function readTranscript(seen: Happenings, line: string): void {
  const parsed = parseTranscriptLine(line)
  if (parsed.type === 'assistant') {
    seen.toolCalls += parsed.tools.length
    if (parsed.model === SYNTHETIC) note(seen, parsed.text)
    else if (parsed.text.trim()) seen.lastText = parsed.text
  } else if (parsed.type === 'results') {
    for (const text of parsed.failures) note(seen, text)
  }
}

function note(seen: Happenings, error: string): void {
  if (seen.errors.length < MOST_ERRORS) seen.errors.push(error.slice(0, ERROR_CHARACTERS))
}
