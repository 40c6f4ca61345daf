import type { HookEvent } from '../../contract/hook.ts'
import { short } from '../../contract/short.ts'
import type { StreamLine } from '../../contract/stream.ts'
import type { TranscriptLine } from '../../contract/transcript.ts'
import type { AgentFacts } from './facts.ts'

/**
 * What of an event an agent's facts are made of. It is kept for a while (order.ts), and a tool's input may hold megabytes.
 */
export function lightEvent<E extends HookEvent>(event: E, known: Pick<AgentFacts, 'cwd' | 'transcript'>): E {
  // Long, and the same in each of them: a thousand agents hold each once.
  const cwd = event.cwd === known.cwd ? known.cwd : event.cwd
  const transcript = event.transcript === known.transcript ? known.transcript : event.transcript
  const light = { ...event, cwd, transcript }
  return 'input' in event ? { ...light, input: lightInput(event.input) } : light
}

export function lightLine(line: TranscriptLine): TranscriptLine {
  if (line.type === 'results') return { ...line, failures: [] }
  if (line.type === 'prompt') return { ...line, text: '' }
  if (line.type !== 'assistant') return line
  const tools = line.tools.map(tool => ({ ...tool, input: lightInput(tool.input) }))
  return { ...line, tools, text: short(line.text, TEXT_KEPT) }
}

export function lightStreamLine(line: StreamLine): StreamLine {
  if (line.type !== 'tool-results') return line
  return { ...line, results: line.results.map(result => ({ ...result, text: '' })) }
}

// Longer than whatever is shown of it.
const TEXT_KEPT = 2_000
// Known tools have fewer.
const FIELDS_KEPT = 20

/** Its texts, and one level of what is in it: the first question, what kind of message is sent. */
function lightInput(input: Record<string, unknown>): Record<string, unknown> {
  return fieldsOf(input, value => {
    if (Array.isArray(value))
      return value.slice(0, 1).map(first => (isFields(first) ? fieldsOf(first, plain) : plain(first)))
    return isFields(value) ? fieldsOf(value, plain) : plain(value)
  })
}

function fieldsOf(fields: Record<string, unknown>, kept: (value: unknown) => unknown): Record<string, unknown> {
  const few = Object.entries(fields).slice(0, FIELDS_KEPT)
  return Object.fromEntries(few.map(([name, value]) => [short(name, 100), kept(value)]))
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return short(value, TEXT_KEPT)
  return typeof value === 'object' ? null : value
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
