import { NO_SURROUNDINGS } from '../../src/contract/agent.ts'
import { parseHook } from '../../src/contract/hook.ts'
import { parseTranscriptLine } from '../../src/contract/transcript.ts'
import { type Standing, statusOf } from '../../src/core/agent/agent-status.ts'
import { type AgentFacts, newAgent } from '../../src/core/agent/facts.ts'
import { hear } from '../../src/core/agent/hear.ts'
import { NOT_READ, readLine } from '../../src/core/agent/witness.ts'

/** One agent's life, told by hooks, transcript and the client's own note, a millisecond apart. */
export class Story {
  clock = 1_000_000
  facts: AgentFacts = newAgent('session-1', this.clock)
  #reading = NOT_READ

  hook(name: string, fields: Record<string, unknown>): Standing {
    this.clock += 1
    const event = parseHook({ session_id: 'session-1', cwd: '/p', hook_event_name: name, ...fields })!
    this.facts = hear(this.facts, event, NO_SURROUNDINGS, this.clock)
    return this.now()
  }

  transcript(line: Record<string, unknown>): void {
    this.clock += 1
    const text = JSON.stringify({ timestamp: new Date(this.clock).toISOString(), ...line })
    const read = readLine(this.facts, this.#reading, parseTranscriptLine(text))
    this.facts = read.facts
    this.#reading = read.reading
  }

  client(status: 'busy' | 'idle' | 'waiting', waitingFor = ''): void {
    this.clock += 1
    this.facts = { ...this.facts, client: { status, waitingFor, at: this.clock } }
  }

  now(): Standing {
    return statusOf(this.facts, this.clock)
  }

  after(ms: number): Standing {
    return statusOf(this.facts, this.clock + ms)
  }
}
