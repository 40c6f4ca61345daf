import type { Requirement } from './requirement.ts'

const where = 'spec/quests, "Signals" and "Roles"'

const promises: Record<string, string> = {
  'mcp-tools-by-role': 'A session is shown the tools and signals of its role, from its first request on.',
  'mcp-root-object': 'Every published input schema has an object at its root.',
  'mcp-own-session': 'The token of a session speaks for that session, whatever the call says.',
  'mcp-refusal-teaches': 'A refused call is a result that the model reads; it says what is wrong, and nothing changes.',
  'mcp-bad-request': 'A wrong token, host, method or body gets a 4xx with a sentence, and nothing happens.',
  'mcp-unknown-method': 'A method that nobody knows is answered with an error of the protocol at once.',
  'mcp-real-client':
    'The real client has the tools from its first request on, beside its user’s own servers, and is not asked whether it may use them; no file or command line holds its token.',
  'mcp-inspector': 'The protocol’s own inspector finds nothing wrong with the server and its shapes.',
  'puppet-mcp': 'The puppet lists and calls tools of MCP servers as the real client does.',
  'mcp-calls-at-once': 'Calls at once are all answered; half a call is none.',
}

export const questTools: Requirement[] = Object.entries(promises).map(([id, promise]) => ({ id, where, promise }))
