import type { Requirement } from './requirement.ts'

const where = 'docs/rehearsal.md'

const promises: Record<string, string> = {
  'stream-recorded': 'Recorded lines of the real client parse to the events they are.',
  'stream-reset-time': 'A used-up plan tells when it resets.',
  'stream-background': 'Running background work is listed, and its turn ends with a further result.',
  'stream-unknown': 'Unknown lines and blocks are kept by name.',
  'stream-garbage': 'What is no JSON object is garbage with a reason.',
  'stream-wrong-types': 'Wrong-typed or negative fields become defaults.',
  'stream-bounded': 'Texts, lists, depth and lines are bounded.',
  'stream-never-throws': 'No input makes the parser throw.',
  'stream-cost': 'The total counts on after a clean end; budget and own cost are per process.',
  'rehearsal-data': 'A scenario is data and survives JSON.',
  'rehearsal-bad-scenario': 'A bad scenario is refused with place and reason.',
  'rehearsal-match': 'The first rule that fits the first line, turn or pattern answers.',
  'rehearsal-turn': 'Turns count from the latest real prompt.',
  'rehearsal-times': 'A rule answers as often as it says.',
  'rehearsal-unmatched': 'An empty script says so and is recorded.',
  'rehearsal-side': 'Requests without tools are answered apart.',
  'rehearsal-live': 'Rules can change while the model runs.',
  'rehearsal-places': 'Replies may name the working directory and the names of the first line.',
  'rehearsal-stream': 'The model speaks the Messages API streamed.',
  'rehearsal-unstreamed': 'The model speaks the Messages API in one piece.',
  'rehearsal-slow': 'A slow stream adds up to the whole answer.',
  'rehearsal-other-paths': 'Every other path is 404.',
  'rehearsal-429': 'A 429 tells its reset as the API does.',
  'rehearsal-status': 'Any error status can be had.',
  'rehearsal-reset': 'Connections can be reset at the start or in the middle.',
  'rehearsal-hang': 'A reply hangs until it is released by name.',
  'rehearsal-close': 'Closing the model ends everything.',
  'rehearsal-malformed': 'Streams can be broken in six ways.',
  'rehearsal-record': 'Requests are recorded, bounded, without secrets.',
  'rehearsal-wait': 'One can wait for a request without sleeping.',
  'rehearsal-many': 'A hundred clients get their own answers.',
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
