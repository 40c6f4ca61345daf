import type { Requirement } from './requirement.ts'

const where = 'docs/quests.md'

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
  'role-file-read': 'A role file is read key by key, and below its keys stands its prompt.',
  'role-file-faults': 'What is wrong in a role file is said with its line and the nearest right word.',
  'role-file-hostile': 'No text makes the reader of role files fail, or say what a terminal obeys.',
  'roles-built-in': 'The six roles are built in, and may signal and change what the specification says.',
  'roles-prompts': 'A role is shown every signal that it may send and no other, and how a session ends.',
  'roles-override': 'A file of the project overrides a role key by key, or adds one that may do the least.',
  'ward-report-lines': 'Where a report of a check tells the line of a failure, it is known.',
  'ward-report-new-first':
    'What the checks found begins with what is newly broken, each with file and line; then comes what was red before.',
  'cli-quest': 'rehoboam quest starts a quest with its options, and refuses what cannot be one before there is one.',
  'cli-quest-wait': 'With --wait who begins, signals and is merged is told as it happens, and the steps at the end.',
  'cli-quest-look': 'show, plan, logs, diff and merge know quests.',
  'cli-quest-steps': 'A step that waits for a person can be tried again, or left out with what depends on it.',
  'cli-quest-plan':
    'A plan that waits for its yes is shown; --edit changes what has not begun, and a refusal comes back into the editor.',
  'cli-quest-picture':
    'On a terminal --wait draws steps, slots, roles and cost below what it tells, and leaves the screen whole.',
  'quest-picture-fits':
    'The picture of a quest fits its terminal, whatever agents wrote; what is at work is shown first.',
  'plan-text-round-trip': 'A plan as text for an editor is read back as it was, and only what was changed is a change.',
  'role-quest':
    'A role of a quest that reaches for what it may not change is stopped before the tool runs, and told why.',
  'roles-refused': 'A file that is no role is refused with its name, the line and what to write.',
}

export const questTools: Requirement[] = Object.entries(promises).map(([id, promise]) => ({
  id,
  where,
  promise,
  ...(id === 'mcp-inspector' ? { provenBy: 'test:all' } : {}),
}))
