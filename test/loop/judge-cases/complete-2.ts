import { CLI, DOCS, EARLIER, FLAKY, GERMAN, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const complete2: JudgeCase[] = [
  {
    name: 'german complete',
    lastMessage:
      'Alle Aufgaben sind abgeschlossen. Die Suche findet Umlaute, Groß- und Kleinschreibung ist egal, und alle 42 Tests sind grün.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: GERMAN,
    label: 'complete',
  },
  {
    name: 'german implementation finished',
    lastMessage: `Die Implementierung ist abgeschlossen.

- Suchfeld in der Kopfzeile
- Treffer werden hervorgehoben
- 42 Tests, alle grün`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: GERMAN,
    label: 'complete',
  },
  {
    name: 'french complete',
    lastMessage: `Toutes les tâches sont terminées. L'index est construit au démarrage et les 35 tests passent.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'spanish complete',
    lastMessage: 'Todas las tareas están completadas. El índice se construye al guardar y las 35 pruebas pasan.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'emoji first line',
    lastMessage: `🎉 All tasks completed!

The CLI now has all seven subcommands with tests and docs.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'bold claim',
    lastMessage: '**Implementation complete.** All seven subcommands work, 77 tests pass, lint and types are clean.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'bold status label',
    lastMessage: `**Status:** All tasks complete

**What changed**
- \`src/routes/login.ts\`: the route
- \`src/auth/token.ts\`: signing with the configured key
- \`test/login.test.ts\`: 14 tests`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'with future improvements that are optional',
    lastMessage: `The implementation is complete and all 35 tests pass.

### Possible future improvements (out of scope)
- Fuzzy matching
- Ranking by recency`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'with a note on a pre-existing warning',
    lastMessage: `All tasks are completed. \`npm run build\` and \`npm test\` both succeed.

Note: the deprecation warning from \`punycode\` was there before and comes from a dependency.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'worker completes the whole assignment',
    lastMessage: `I've implemented everything that was asked:

1. \`export\` writes CSV and JSON
2. Errors go to stderr with exit code 2
3. Tests cover both formats

All the work described in the anchor is complete.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'long story and claim in the middle paragraph',
    lastMessage: `Here's what I found and did.

**Root cause.** \`pool.close()\` resolved before the last socket was destroyed, so the next test's server sometimes got EADDRINUSE.

**Fix.** \`close()\` now awaits every socket's \`close\` event.

**Verification.** \`for i in $(seq 200); do npm test || break; done\` ran to the end.

The task is complete: the suite is stable, the sleep in \`setup.ts\` is gone and no test is skipped.

**Files**
- src/pool.ts
- test/setup.ts`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'everything works and is done',
    lastMessage: 'Everything requested is done. The docs build without warnings and all links resolve.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'no remaining work',
    lastMessage:
      'All 91 tests pass and there is no remaining work. The parser, the printer and the error messages are all in place as the anchor describes.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'no tasks remain',
    lastMessage: 'TASK-007 was the last one; no tasks remain in tasks.md, and all of them are completed and tested.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'i am finished plain',
    lastMessage: 'I have finished the task. The endpoint, its validation and its tests are in; the suite is green.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'all objectives achieved',
    lastMessage: `All objectives have been achieved:

- Cold start 0.4 s (was 12 s)
- Build 4.1 s (was 31 s)
- Bundle 212 kB (was 340 kB)`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'project is now complete',
    lastMessage: `The project is now complete. You can try it with:

\`\`\`bash
node dist/cli.js init
node dist/cli.js add "buy milk"
node dist/cli.js list --json
\`\`\``,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'goal fully achieved',
    lastMessage: 'The goal is fully achieved: 500 consecutive runs without a failure.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'code block with an example failure, claim outside',
    lastMessage: `A wrong password now answers like this:

\`\`\`json
{ "error": "unauthorized", "message": "login failed" }
\`\`\`

All acceptance criteria are met and the test suite is green.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'all the tests pass and everything is implemented',
    lastMessage: `All features are implemented and all tests pass:

\`\`\`
 ✓ test/index.test.ts (12 tests) 40ms
 ✓ test/query.test.ts (19 tests) 22ms
 ✓ test/ui.test.ts (4 tests) 310ms

 Test Files  3 passed (3)
      Tests  35 passed (35)
\`\`\``,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'numbered recap with done last',
    lastMessage: `1. Rewrote the install page
2. Added the upgrade page
3. Repaired eleven links
4. Added a changelog entry

Everything on the list is done.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'claim then how to use',
    lastMessage: `The CLI is complete and ready to use.

Usage:

    todo init
    todo add "text"
    todo list --json

Run \`todo --help\` for the rest.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'all steps of the plan are finished',
    lastMessage: `All steps of the plan are finished. Final state of the checks:

- types: clean
- lint: clean
- unit: 120 passed
- e2e: 9 passed`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'the fix is complete and verified',
    lastMessage: 'The fix is complete and verified. All 61 tests pass, also under `--shuffle`.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'completed successfully',
    lastMessage: `All tasks have been completed successfully.

Highlights:
- Zero-copy tokenizer
- Errors carry line and column
- 58 tests`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'complete with commit hash',
    lastMessage: 'Committed as `a1b2c3d` ("Add login endpoint"). All tasks are complete; the working tree is clean.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'task complete with a period of quiet confidence',
    lastMessage:
      'Task complete. The three pages exist, the sidebar links to them, and `mkdocs build --strict` is clean.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'all checks are green and work is finished',
    lastMessage: `Ran the full verification one last time:

| check | result |
|---|---|
| types | ✅ |
| lint | ✅ |
| 77 tests | ✅ |

All checks are green and all the requested work is finished.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
]
