import type { TranscriptLine } from '../../contract/transcript.ts'
import type { AgentFacts, Usage, Witness } from './facts.ts'
import { priceOf } from './prices.ts'
import { toolWords } from './tool-words.ts'

/** What reading a transcript needs to remember between two lines: a message stands in several, each with its usage. */
export type Reading = { messageId: string; counted: Usage }

export const NOT_READ: Reading = {
  messageId: '',
  counted: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, context: 0, costUsd: 0 },
}

/** One line of the transcript further: the second witness beside the hooks, and the only one for tokens and cost. */
export function readLine(
  facts: AgentFacts,
  reading: Reading,
  line: TranscriptLine,
): { facts: AgentFacts; reading: Reading } {
  switch (line.type) {
    case 'prompt':
      return { facts: witnessed(facts, { at: line.at, says: 'working', tools: [] }), reading }
    case 'interrupted':
      return {
        facts: { ...witnessed(facts, { at: line.at, says: 'interrupted', tools: [] }), tools: [], prompts: [] },
        reading,
      }
    case 'ended':
      return { facts: witnessed(facts, { at: line.at, says: 'ended', tools: [] }), reading }
    case 'results': {
      const tools = (facts.witness?.tools ?? []).filter(({ id }) => !line.ids.includes(id))
      const next = witnessed(facts, { at: line.at, says: 'working', tools })
      return { facts: { ...next, tools: facts.tools.filter(({ id }) => !line.ids.includes(id)) }, reading }
    }
    case 'assistant':
      return assistant(facts, reading, line)
    case 'cost':
      return {
        facts: { ...facts, usage: { ...facts.usage, costUsd: Math.max(facts.usage.costUsd, line.usd) } },
        reading,
      }
    case 'other':
      return { facts, reading }
  }
}

function assistant(facts: AgentFacts, reading: Reading, line: Extract<TranscriptLine, { type: 'assistant' }>) {
  const tools = line.tools.map(({ id, name, input }) => ({ id, name, words: toolWords(name, input), at: line.at }))
  const open = [...(facts.witness?.tools ?? []), ...tools]
  const ended = line.ended && open.length === 0
  const next = witnessed(facts, { at: line.at, says: ended ? 'ended' : 'working', tools: open.slice(-50) })
  const seen: AgentFacts = {
    ...next,
    model: line.model || facts.model,
    lastMessage: line.text.slice(0, 2000) || facts.lastMessage,
  }
  if (!line.usage) return { facts: seen, reading }
  const before = reading.messageId === line.messageId ? reading.counted : NOT_READ.counted
  const context = line.usage.input + line.usage.cacheRead + line.usage.cacheWrite + line.usage.output
  const counted: Usage = { ...line.usage, context, costUsd: priceOf(line.model, line.usage) }
  const usage: Usage = {
    input: facts.usage.input + counted.input - before.input,
    output: facts.usage.output + counted.output - before.output,
    cacheRead: facts.usage.cacheRead + counted.cacheRead - before.cacheRead,
    cacheWrite: facts.usage.cacheWrite + counted.cacheWrite - before.cacheWrite,
    costUsd: facts.usage.costUsd + counted.costUsd - before.costUsd,
    context,
  }
  return { facts: { ...seen, usage }, reading: { messageId: line.messageId, counted } }
}

function witnessed(facts: AgentFacts, witness: Witness): AgentFacts {
  return { ...facts, witness, updatedAt: Math.max(facts.updatedAt, witness.at) }
}
