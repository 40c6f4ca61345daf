import { CLI, DOCS, EARLIER, FLAKY, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const fresh6: JudgeCase[] = [
  {
    name: 'fourth: routine end of a finished loop',
    lastMessage: `I've verified everything against the anchor:

1. \`POST /login\` returns a token ✓
2. Wrong password → 401 ✓
3. Test suite: 214 passed ✓

All acceptance criteria are satisfied. I've also updated \`progress.md\`.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'fourth: short final',
    lastMessage: 'All seven tasks are finished and tested.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'fourth: bold headline',
    lastMessage: `**The task is complete.**

- Round trip holds for all 58 fixtures
- Errors carry line and column
- Comments are kept`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'fourth: final summary of migration',
    lastMessage: `The migration is done. Summary of the final state:

| | before | after |
|---|---|---|
| dev start | 12 s | 0.4 s |
| build | 31 s | 4.1 s |
| packages | 1,204 | 611 |`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'fourth: work finished',
    lastMessage: 'All work is complete: three pages written, eleven links repaired, strict build green.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'fourth: no outstanding items',
    lastMessage:
      'The search works as described in the anchor, all 35 tests are green, and there are no outstanding items.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'fourth: concluding',
    lastMessage:
      'To conclude: the cause was the shared port, the fix is in `pool.ts`, and 500 runs were green. All criteria are met.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'fourth: implemented all',
    lastMessage: 'I have implemented all the requirements, and the test suite passes with 77 tests.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'fourth: task accomplished',
    lastMessage: 'Task accomplished. The endpoint is live in the dev server, tests included.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'fourth: everything has been done',
    lastMessage: 'Everything has been done, and the branch is ready to merge.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'fourth: middle of work with tests',
    lastMessage:
      'Added the route and wired it into `server.ts`. 203 tests pass. The 401 path and its tests come after this.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'fourth: finished module',
    lastMessage: 'The tokenizer module is finished: 31 tests, all green.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'fourth: iteration summary',
    lastMessage: `## Iteration 2

**Done**
- index updated on save
- 12 tests

**Open**
- query parser
- search box`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'fourth: debugging notes',
    lastMessage:
      'The failing run always has two servers on port 4010. I added a trace to `listen()` to see who is first.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'fourth: all tests green, going on',
    lastMessage: 'All 44 tests are green. `rm` works, including `--force`.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'fourth: refactor before feature',
    lastMessage: 'I extracted `auth/hash.ts` so that the login route can use it. Nothing else changed.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'fourth: review of own diff',
    lastMessage:
      'I reviewed the diff and found two aliases that still point to the webpack folder. Both are corrected.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'fourth: todo list shown',
    lastMessage: `Current todo list:

- [x] install page
- [ ] upgrade page
- [ ] dead links`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'continue',
  },
  {
    name: 'fourth: partial with percent',
    lastMessage: 'Roughly two thirds of the work is done.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'fourth: wrote plan',
    lastMessage: 'I wrote the grammar down in `GRAMMAR.md` and split the work into five tasks.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'fourth: task completed in worker style',
    lastMessage: 'TASK-004 is completed and marked in tasks.md.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'fourth: fixed a bug',
    lastMessage:
      'Fixed: the server is closed in `afterEach` now. I ran the file 50 times without a failure, the whole suite is still to be run 200 times.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'fourth: completed steps listed',
    lastMessage: `Completed in this session:
1. vite.config.ts
2. aliases
3. env variables`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'fourth: tests added',
    lastMessage: 'Added 6 tests for wrong passwords; all pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'fourth: mostly finished docs',
    lastMessage: 'The upgrade page is written. Proofreading and the link check are what remains.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'continue',
  },
  {
    name: 'fourth: error while running',
    lastMessage:
      '`npm test` ended with a syntax error in `query.ts`; I was in the middle of fixing it when the turn ended.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'fourth: stuck on the build',
    lastMessage: `I'm stuck on the build: \`rollup\` runs out of memory whatever limit I set.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'stalled',
  },
  {
    name: 'fourth: blocked by network',
    lastMessage: `The link check is blocked by the sandbox, which has no network, and there's nothing else left that I could work on.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'stalled',
  },
  {
    name: 'fourth: unable to make progress',
    lastMessage:
      'I have not been able to make progress: the fixtures contradict each other, and each fix breaks another one.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'stalled',
  },
  {
    name: 'fourth: cannot proceed without tool',
    lastMessage: `I cannot proceed because \`man\` pages need \`pandoc\`, which is missing here and can't be installed.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'stalled',
  },
  {
    name: 'fourth: no new ideas',
    lastMessage: `No change since the last iteration. I've run out of ideas for reproducing it.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'fourth: question for the user',
    lastMessage: `Do you want tokens to expire after one hour or one day? I'm waiting for your answer.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'blocked',
  },
  {
    name: 'fourth: approve plan',
    lastMessage: 'The plan needs your approval before I touch the CI configuration.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'blocked',
  },
  {
    name: 'fourth: missing password',
    lastMessage: `The staging database asks for a password that I don't have. Please provide it, or tell me to skip this test.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'blocked',
  },
  {
    name: 'fourth: confirm',
    lastMessage: `This would overwrite the users' existing files. Please confirm before I go on.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'blocked',
  },
  {
    name: 'fourth: human must',
    lastMessage: `Somebody with access to the brand guide has to choose the logo. I've paused until you tell me which one.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'blocked',
  },
]
