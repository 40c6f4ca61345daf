import type { AgentLogItem } from './agent-detail.ts'
import type { Block } from './stream-line.ts'
import { parseTranscriptLine } from './transcript.ts'

type Said = Extract<AgentLogItem, { prompt: string } | { output: unknown } | { interrupted: true }>

/** What a line of a transcript says to somebody who reads an agent's log; null: nothing. */
export function logItem(line: string): DistributiveOmit<Said, 'cursor'> | null {
  const seen = parseTranscriptLine(line)
  switch (seen.type) {
    case 'prompt':
      return { prompt: seen.text }
    case 'interrupted':
      return { interrupted: true }
    case 'results': {
      const results = seen.failures.map(text => ({ id: '', isError: true, text }))
      if (results.length === 0) return null
      return { output: { type: 'tool-results', session: '', parent: null, results, at: undefined } }
    }
    case 'assistant': {
      const said: Block[] = seen.text ? [{ kind: 'text', text: seen.text }] : []
      const blocks: Block[] = [...said, ...seen.tools.map(tool => ({ kind: 'tool-use' as const, ...tool }))]
      if (blocks.length === 0) return null
      const { messageId, model } = seen
      const about = { parent: null, usage: undefined, error: undefined, at: undefined }
      return { output: { type: 'assistant', session: '', messageId, model, blocks, ...about } }
    }
    default:
      return null
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never
