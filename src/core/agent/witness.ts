import { short } from '../../contract/short.ts'
import type { TranscriptLine } from '../../contract/transcript.ts'
import { toolsEnded } from './ended-tools.ts'
import type { AgentFacts, Usage, Witness } from './facts.ts'
import { type Prices, priceOf } from './prices.ts'
import { toolWords } from './tool-words.ts'

/** What reading a transcript needs to remember between two lines: a message stands in several, each with its usage. */
export type Reading = { messageId: string; counted: Counted }
type Counted = { input: number; output: number; cacheRead: number; cacheWrite: number; usd: number }

const NOTHING: Counted = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, usd: 0 }
export const NOT_READ: Reading = { messageId: '', counted: NOTHING }

/** One line of the transcript further: the second witness beside the hooks, and the only one for tokens and cost. */
export function readLine(
  facts: AgentFacts,
  reading: Reading,
  line: TranscriptLine,
  prices: Prices = [],
): { facts: AgentFacts; reading: Reading } {
  switch (line.type) {
    case 'prompt':
      return {
        facts: {
          ...witnessed(facts, { at: line.at, says: 'working', tools: [] }),
          promptedAt: Math.max(line.at, facts.promptedAt ?? 0),
        },
        reading,
      }
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
      return { facts: toolsEnded(next, line.ids, line.at), reading }
    }
    case 'assistant':
      return assistant(facts, reading, line, prices)
    case 'cost':
      return { facts: { ...facts, usage: { ...facts.usage, saidUsd: line.usd, sinceUsd: 0, unpriced: null } }, reading }
    case 'other':
      return { facts, reading }
  }
}

function assistant(
  facts: AgentFacts,
  reading: Reading,
  line: Extract<TranscriptLine, { type: 'assistant' }>,
  prices: Prices,
) {
  const tools = line.tools.map(({ id, name, input }) => ({ id, name, words: toolWords(name, input), at: line.at }))
  const open = [...(facts.witness?.tools ?? []), ...tools]
  const ended = line.ended && open.length === 0
  const next = witnessed(
    facts,
    line.error === null
      ? { at: line.at, says: ended ? 'ended' : 'working', tools: open.slice(-50) }
      : { at: line.at, says: 'failed', tools: [], error: line.error },
  )
  const seen: AgentFacts = {
    ...next,
    model: line.model || facts.model,
    lastMessage: short(line.text, 2000) || facts.lastMessage,
  }
  if (!line.usage) return { facts: seen, reading }
  const before = reading.messageId === line.messageId ? reading.counted : NOTHING
  const price = priceOf(line.model, line.usage, prices)
  const counted: Counted = { ...line.usage, usd: price ?? 0 }
  // What the client says in the model's place, about an error for example, has cost nothing.
  const isUnpriced = price === null && line.usage.input + line.usage.output > 0
  const { usage: was } = facts
  const usage: Usage = {
    ...was,
    input: was.input + counted.input - before.input,
    output: was.output + counted.output - before.output,
    cacheRead: was.cacheRead + counted.cacheRead - before.cacheRead,
    cacheWrite: was.cacheWrite + counted.cacheWrite - before.cacheWrite,
    context: counted.input + counted.cacheRead + counted.cacheWrite + counted.output,
    sinceUsd: Math.max(0, was.sinceUsd + counted.usd - before.usd),
    unpriced: isUnpriced ? short(line.model, 100) : was.unpriced,
  }
  return { facts: { ...seen, usage }, reading: { messageId: line.messageId, counted } }
}

function witnessed(facts: AgentFacts, witness: Witness): AgentFacts {
  // A line of this turn; one that we have started may have an older transcript that says nothing of it.
  const heard = facts.heard || witness.at > facts.turn.at
  return { ...facts, witness, heard, updatedAt: Math.max(facts.updatedAt, witness.at) }
}
