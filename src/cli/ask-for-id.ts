import type { Found } from '../contract/agent-detail.ts'
import type { Face } from './face.ts'

/** What somebody means by an id: a run or an agent, by its beginning. */
export function find(face: Face, id: string): Promise<Found> {
  // Not in the path: dots would make it another address.
  return face.daemon.ask<Found>({ path: `/v1/find?id=${encodeURIComponent(id)}` })
}

export function agentPath(session: string, more = ''): string {
  return `/v1/agents/${encodeURIComponent(session)}${more}`
}
