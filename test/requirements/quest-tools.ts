import type { Requirement } from './requirement.ts'

const where = 'docs/quests.md'

const promises: Record<string, string> = {
  'mcp-tools-by-role':
    'A session is shown the tools and signals of its role, from its first request on, with valid schemas.',
  'mcp-own-session':
    'The token of a session speaks for that session only. A wrong token, host, method or body gets a 4xx with a sentence.',
  'mcp-refusal-teaches': 'Every call is answered. A refused call says to the model what is wrong, and nothing changes.',
  'mcp-real-client':
    'The real client has the tools from its first request on, beside its user’s own servers, and is not asked whether it may use them; no file or command line holds its token.',
  'mcp-inspector': 'The protocol’s own inspector finds nothing wrong with the server and its shapes.',
  'puppet-mcp': 'The puppet lists and calls tools of MCP servers as the real client does.',
  'role-file-read':
    'A role file is read key by key. What is wrong in it is said with its line and the nearest right word.',
  'roles-built-in': 'The six roles are built in, and may signal and change what the specification says.',
  'roles-prompts': 'A role is shown every signal that it may send and no other, and how a session ends.',
  'roles-override': 'A file of the project overrides a role key by key, or adds one that may do the least.',
  'ward-report-new-first':
    'What the checks found begins with what is newly broken, each with file and line. Then comes what was red before.',
  'cli-quest': 'rehoboam quest starts a quest with its options, and refuses what cannot be one before there is one.',
  'cli-quest-wait':
    'With --wait who begins, signals and is merged is told as it happens, and on a terminal drawn in a picture that fits it.',
  'cli-quest-look': 'show, plan, logs, diff and merge know quests.',
  'cli-quest-steps': 'A step that waits for a person can be tried again, or left out with what depends on it.',
  'cli-quest-plan':
    'A plan that waits for its yes is shown. --edit changes what has not begun, and a refusal comes back into the editor.',
  'role-quest':
    'A role of a quest that reaches for what it may not change is stopped before the tool runs, and told why.',
}

export const questTools: Requirement[] = Object.entries(promises).map(([id, promise]) => ({
  id,
  where,
  promise,
  ...(id === 'mcp-inspector' ? { provenBy: 'test:all' } : {}),
}))
