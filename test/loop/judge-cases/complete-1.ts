import { CLI, DOCS, EARLIER, FLAKY, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const complete1: JudgeCase[] = [
  {
    name: 'a long summary with checkmarks and a plain last claim',
    lastMessage: `I've finished the login endpoint. Here's a summary of what was done:

## Summary

### Implementation
- ✅ \`POST /login\` returns a signed token
- ✅ Wrong passwords give 401 with a JSON body
- ✅ Tests in \`test/login.test.ts\` (14 tests, all passing)

### Files changed
- \`src/routes/login.ts\` (new)
- \`src/auth/token.ts\` (new)
- \`src/server.ts\` (route registered)

All tasks completed. The full test suite passes (212 passed, 0 failed).`,
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
## Iteration 3
- login route, token signing, tests
- all tasks completed
`,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'implementation complete in one line',
    lastMessage: 'Implementation complete.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'implementation is complete with detail',
    lastMessage: `The implementation is complete. The parser handles nested lists, escapes and comments, and round-trips every fixture in \`test/fixtures\`.

| file | lines |
|---|---|
| src/parse.ts | 180 |
| src/print.ts | 92 |
| test/parse.test.ts | 240 |

\`npm test\` reports 58 passed.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'all acceptance criteria are met',
    lastMessage: `Everything is in place. All acceptance criteria are met:

- [x] POST /login returns a token
- [x] a wrong password gives 401
- [x] the tests pass

I ran the whole suite twice; both runs are green.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'all tasks are complete after a table',
    lastMessage: `The migration to Vite is finished.

| Task | Status |
|---|---|
| Replace webpack config | ✅ Done |
| Move env variables to \`import.meta.env\` | ✅ Done |
| Update CI | ✅ Done |
| Remove webpack packages | ✅ Done |

All tasks are complete, and \`npm run build\` takes 4.1 s instead of 31 s.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'everything in the anchor is implemented',
    lastMessage:
      'Everything in the anchor is now implemented and tested. `cargo test` gives 91 passed; 0 failed, and clippy is clean.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'the task is complete',
    lastMessage:
      'The task is complete. I rewrote `docs/install.md`, added `docs/upgrade.md`, and fixed the eleven dead links that the checker had named.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'the work is done, ends with a friendly offer',
    lastMessage: `All of the work is done: webpack is gone, Vite builds and serves, and the CI job uses the new script.

Let me know if you'd like me to tune chunk sizes as well.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'checkmark heading then a sentence',
    lastMessage: `## ✅ Login endpoint

The login endpoint is fully implemented, all 14 tests pass, and there is nothing left to do for this task.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'nothing left to do',
    lastMessage:
      'I ran the suite 200 times in a row without a failure. The race in `pool.close()` is fixed, the retry that hid it is removed, and nothing is left to do.',
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
- 200 green runs, race fixed in pool.close()
- nothing left to do
`,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'all seven of seven tasks',
    lastMessage: `Task 7 of 7 is finished, so all 7 tasks are completed:

1. \`init\` ✓
2. \`add\` ✓
3. \`list\` ✓
4. \`rm\` ✓
5. \`export\` ✓
6. \`--json\` ✓
7. man page ✓

Tests: 77 passed (77).`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'all requirements have been implemented',
    lastMessage: `All requirements have been implemented and verified:

\`\`\`
$ npm test
 Test Files  9 passed (9)
      Tests  77 passed (77)
\`\`\`

The binary prints JSON with \`--json\`, exit codes follow the table in the anchor, and the man page is generated at build time.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'the feature is complete and tested',
    lastMessage: `The search feature is complete and tested.

- Index is built incrementally on save
- Queries support quotes and prefixes
- 31 unit tests, 4 end-to-end tests, all green`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'i have completed all of the tasks',
    lastMessage: `I have completed all the tasks in the plan. To recap:

1. **Index** - \`src/search/index.ts\` builds an inverted index.
2. **Query** - \`src/search/query.ts\` parses quotes and prefixes.
3. **UI** - the search box is keyboard accessible.

\`vitest run\` finishes with 35 passed.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'past trouble told in a finished message',
    lastMessage: `The flaky test was caused by a shared temp directory. At first I was stuck on reproducing it, but running with \`--repeat 500\` showed it within a minute.

Each test now gets its own directory. The suite passed 500 times in a row. All acceptance criteria are met.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'past failures fixed',
    lastMessage: `Two tests failed at first because the clock was mocked in the wrong place. I fixed that, and now all 214 tests pass.

All tasks completed.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'zero failed in the numbers',
    lastMessage: `Final run:

\`\`\`
test result: ok. 91 passed; 0 failed; 0 ignored
\`\`\`

The implementation is complete and every criterion in the anchor is satisfied.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'all done short',
    lastMessage: 'All done! Every page is updated, the link checker passes and the changelog has its entry.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'the whole migration is complete',
    lastMessage:
      'The migration is complete. No file imports webpack any more (checked with `rg webpack`), the lock file is regenerated, and the dev server hot-reloads.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'all criteria c1 to c4',
    lastMessage: `Verification against the anchor:

- **C1** \`init\` creates the file: PASS
- **C2** \`add\` validates input: PASS
- **C3** \`--json\` output is stable: PASS
- **C4** exit codes: PASS

All four criteria pass, and the work is complete.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'only the progress file says it, message is brief',
    lastMessage: `I've updated the progress file with the final state.`,
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
## Iteration 6
Login endpoint merged with its tests. 214 tests pass.
All tasks are completed.
`,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'implementation complete in progress after rewrite',
    lastMessage: 'Rewrote progress.md to be shorter.',
    progressBefore: EARLIER,
    progressAfter: `# Progress
- parser, printer, fixtures: done in iterations 1 to 5
- Implementation complete, all 91 tests pass
`,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'final claim after listing commands',
    lastMessage: `I ran:

- \`npm run lint\` - clean
- \`npm run types\` - clean
- \`npm test\` - 35 passed

With that, all the acceptance criteria are satisfied and the task is finished.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'all items checked off',
    lastMessage: `All items in the checklist are now checked off:

- [x] install page
- [x] upgrade page
- [x] dead links

The documentation task is complete.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
]
