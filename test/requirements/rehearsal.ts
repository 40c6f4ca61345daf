import type { Requirement } from './requirement.ts'

const where = 'docs/rehearsal.md'

const promises: Record<string, string> = {
  'stream-recorded':
    'Recorded lines of the real client parse to the events they are, with cost, reset times and background work.',
  'stream-garbage':
    'Whatever a line holds, what is known of it is kept, the unknown is named, and the parser stays bounded and never throws.',
  'rehearsal-data': 'A scenario is data, and a bad one is refused with place and reason.',
  'rehearsal-match':
    'The first rule that fits a request answers, as often as it says, and a script without an answer says so.',
  'rehearsal-stream': 'The model speaks the Messages API, streamed and in one piece, and nothing else.',
  'rehearsal-429':
    'The model can fail as the API does: limits, errors, cut connections, broken streams and replies that hang.',
  'rehearsal-record':
    'Requests are recorded, bounded and without secrets, can be waited for, and a hundred clients get their own answers.',
  'puppet-conforms': 'The puppet’s events, exit codes, stderr and requests equal the real client’s.',
  'puppet-version': 'The puppet names the version that it doubles.',
  'puppet-transcript':
    'Its transcript has only the client’s fields and the same figures, and honours CLAUDE_CONFIG_DIR.',
  'puppet-formats': 'It writes text and json too.',
  'puppet-timeout': 'A slow command goes to the background.',
  'puppet-headless-only': 'The puppet refuses a screen.',
  'puppet-free': 'The puppet never asks an https address.',
  'puppet-many': 'Dozens of puppets run at once: a dozen in `npm test`, thirty in `npm run test:all`.',
  'puppet-hooks':
    'The puppet tells its hooks the same events as the real client: same fields, order, environment, sources and matchers.',
  'puppet-hook-answers':
    'The puppet obeys, ignores and outlives its hooks’ answers exactly as the real client does headless.',
  'puppet-session-note': 'The puppet’s own note about itself says the same as the real client’s.',
  'recording-version':
    'The puppet is compared with recordings of the client in package.json; with those of another version the run is red.',
  'bench-client-headless': 'The real client runs headless in a home and environment of its own.',
  'bench-client-orphans': 'A killed client leaves its command running; the bench cleans up.',
  'bench-client-pane': 'The real client runs in a tmux pane with a piped prompt and typed keys.',
  'bench-client-recorded': 'The real client still does what is recorded, and writes the recorded shape.',
}

const onlyInAll = ['bench-client-headless', 'bench-client-pane', 'bench-client-recorded']

export const rehearsal: Requirement[] = Object.entries(promises).map(([id, promise]) => ({
  id,
  where,
  promise,
  ...(onlyInAll.includes(id) ? { provenBy: 'test:all' } : {}),
}))
