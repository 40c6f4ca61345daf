import { CLI, DOCS, EARLIER, FLAKY, GERMAN, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const stalled: JudgeCase[] = [
  {
    name: 'stuck on a type error',
    lastMessage: `I'm stuck on the type error in \`src/auth/token.ts\`. I tried casting, generics and an overload; each gives the same TS2345.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'stalled',
  },
  {
    name: 'blocked by a missing system library',
    lastMessage:
      'The build is blocked by a missing system library: `libclang.so` is not installed here and I cannot install packages without root. No further progress is possible in this environment.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'stalled',
  },
  {
    name: 'blocked by upstream bug',
    lastMessage:
      'I am blocked by a bug in the `legacy-css` plugin: it throws with Vite 8 before any of our code runs. I found no workaround.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'stalled',
  },
  {
    name: 'cannot make further progress',
    lastMessage:
      'I cannot make any further progress. The failure only shows on the CI machine, and I have no access to its logs.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'no progress in this iteration',
    lastMessage:
      'I made no progress in this iteration. The test still fails in the same way as before, and I have run out of ideas.',
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
- iteration 5: no progress, same failure
`,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'tried everything',
    lastMessage:
      'I have tried everything that I can think of: a bigger lookahead, backtracking, and a hand-written grammar. The ambiguity in rule 7 remains and I am going in circles.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'stalled',
  },
  {
    name: 'unable to proceed because of network',
    lastMessage: `I'm unable to proceed: the sandbox has no network, so the package that the anchor demands cannot be downloaded.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'stalled',
  },
  {
    name: 'stuck after several attempts with test output',
    lastMessage: `After four attempts the same test still fails:

\`\`\`
FAIL test/login.test.ts > gives 401
AssertionError: expected 200 to be 401
\`\`\`

I am stuck on this one. None of the attempts changed the outcome.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'stalled',
  },
  {
    name: 'blocked on a locked database file',
    lastMessage: `Work is blocked by the lock on \`data.sqlite\`: another process holds it, every command times out after 30 s, and I can't end a process that is not mine.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'stalled',
  },
  {
    name: `can't proceed in bold`,
    lastMessage: `**Status: blocked.** I can't proceed because the CI image has Node 16 and Vite 8 needs 20. Changing the image is outside this repository.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'stalled',
  },
  {
    name: 'stuck in loop',
    lastMessage: `I keep hitting the same error (\`EADDRINUSE\`) whatever I change. I'm stuck.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'stalled in heading and text',
    lastMessage: `## Status

Stalled. The fixture \`deep.txt\` contradicts the grammar in the anchor, so no implementation can satisfy both. I can't find a way around this.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'stalled',
  },
  {
    name: 'the only way would break a rule',
    lastMessage: `I'm blocked by the guardrail that forbids changing \`schema.sql\`, and the criterion cannot be satisfied without a new column. There is no way forward within these limits.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'stalled',
  },
  {
    name: 'progress file says stuck',
    lastMessage: 'Noted the state in progress.md.',
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
## Iteration 7
Stuck on the legacy CSS plugin, same exception as in iterations 5 and 6. No workaround found.
`,
    anchor: VITE,
    label: 'stalled',
  },
  {
    name: 'german stuck',
    lastMessage:
      'Ich komme nicht weiter: Der Test schlägt seit drei Iterationen mit demselben Fehler fehl, und ich habe keine Idee mehr.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: GERMAN,
    label: 'stalled',
  },
  {
    name: 'impossible requirement',
    lastMessage:
      'The two requirements contradict each other, and it is impossible to make progress: the index must be in memory only, and it must survive a restart.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'stalled',
  },
  {
    name: 'completely stuck',
    lastMessage: `I'm completely stuck on left recursion. The approaches so far:

1. Pratt parser: breaks precedence of unary minus
2. Packrat: same
3. Rewriting the grammar: fixtures no longer match

I don't see another approach.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'stalled',
  },
  {
    name: 'disk is full',
    lastMessage:
      'Every write fails with ENOSPC: the disk is full, and nothing in this repository is big enough to delete. I cannot continue.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'stalled',
  },
  {
    name: 'hit a wall',
    lastMessage: `I've hit a wall. The failure needs the GPU runner, which does not exist here, and without it I can't verify any change.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'same failure again no idea',
    lastMessage:
      'The same failure again, for the fifth time, with no change in the output. I have exhausted the options that I know and am not able to move forward.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'stalled',
  },
  {
    name: 'blocked by permission denied',
    lastMessage: `I'm blocked by file permissions: \`docs/\` belongs to root and every write gives EACCES. \`sudo\` is denied.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'stalled',
  },
  {
    name: 'work halted by rate limit of a service',
    lastMessage:
      'All my requests to the embedding service are rejected with 429, and have been for the whole session. Progress is blocked by this rate limit; I found nothing else in the task that can be done without it.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'stalled',
  },
  {
    name: 'partial list then stuck',
    lastMessage: `Done so far:
- ✅ config
- ✅ env variables

Then I got stuck on the worker bundle: Vite emits an ES module, the target browser needs a classic script, and \`format: 'iife'\` is ignored for it. I could not get past this.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'stalled',
  },
  {
    name: 'table with blocked row and a sentence',
    lastMessage: `| step | state |
|---|---|
| init | done |
| add | done |
| export | blocked |

I'm blocked by the native CSV module, which does not compile with this compiler, and I have no other way to satisfy criterion 3.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'stalled',
  },
  {
    name: 'stuck with a code block',
    lastMessage: `Still stuck on the stack overflow for deep nesting:

\`\`\`
RangeError: Maximum call stack size exceeded
    at parse (src/parse.ts:41:9)
\`\`\`

Rewriting it with an explicit stack broke 30 other tests, and reverting that brings the overflow back.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'stalled',
  },
  {
    name: 'deadlock',
    lastMessage: `I'm at a dead end. Each fix of the race makes the other test hang, and I see no ordering that satisfies both.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'unable to find cause',
    lastMessage: `I was unable to find the cause. I bisected, added traces and read the driver's source; nothing explains it. I'm out of ideas.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'missing tool',
    lastMessage:
      '`mkdocs` is not installed and cannot be installed here (no network, no root). I cannot continue with this task.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'stalled',
  },
  {
    name: 'cannot reproduce at all',
    lastMessage: `I could not reproduce the failure in 3,000 runs. Without a reproduction I'm unable to make progress on this.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'spanish stuck',
    lastMessage: 'Estoy atascado: la misma prueba falla desde hace tres iteraciones y no encuentro otra solución.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'stalled',
  },
  {
    name: 'french stuck',
    lastMessage: `Je suis bloqué par le même échec depuis trois itérations et je ne vois plus d'autre piste.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'stalled',
  },
  {
    name: 'stuck on the same assertion for the third time',
    lastMessage: `This is the third iteration stuck on the same assertion in \`login.test.ts:88\`. I don't have a new idea to try.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'stalled',
  },
  {
    name: 'environment is broken',
    lastMessage: `The environment is broken: \`node\` segfaults on start, so neither tests nor build can run. I can't do anything further from here.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'stalled',
  },
  {
    name: 'blocked by test infrastructure',
    lastMessage:
      'Further work is blocked by the e2e runner, which crashes before the first test with a GPU error. I tried three flags and two versions.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'stalled',
  },
]
