import { CLI, EARLIER, FLAKY, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const continue2: JudgeCase[] = [
  {
    name: 'seems complete',
    lastMessage: 'The implementation seems complete. I still want to compare it with the grammar in the anchor.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'none of the tasks are completed',
    lastMessage: 'None of the tasks are completed yet; this iteration was spent on reading the code.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'not all tasks are completed',
    lastMessage: 'Not all tasks are completed: `export` and the man page are open.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: `isn't complete`,
    lastMessage: `The implementation isn't complete: prefixes are parsed but not searched.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'all but one',
    lastMessage: 'All tasks but one are completed. The man page is left.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'most tasks',
    lastMessage: 'Most of the tasks are completed (5 of 7).',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'todos left in the list',
    lastMessage: `All tasks completed so far:

- [x] POST /login returns a token
- [ ] a wrong password gives 401
- [ ] the tests pass`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'unchecked criteria beside a claim',
    lastMessage: `Implementation complete!

- [x] POST /login returns a token
- [x] a wrong password gives 401
- [ ] the tests pass`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'next steps after a finished piece',
    lastMessage: `I completed the index builder and its tests.

### Next steps
1. Query parser
2. Search box
3. End-to-end tests`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'progress update with remaining table',
    lastMessage: `| Task | Status |
|---|---|
| Replace webpack config | ✅ Done |
| Env variables | ✅ Done |
| Update CI | ⏳ In progress |
| Remove webpack packages | ❌ Not started |`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'claim with open table rows',
    lastMessage: `The core implementation is complete.

| Task | Status |
|---|---|
| Replace webpack config | ✅ Done |
| Update CI | ⏳ In progress |`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'todo comments left',
    lastMessage: `All features are implemented. There are three TODOs left in \`print.ts\` that I'll resolve next.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'skipped tests',
    lastMessage:
      'Everything passes now, because I marked the flaky test as skipped for the moment. I will find the real cause next.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'was stuck and is not any more',
    lastMessage: `I was stuck on the reproduction for a while, but \`--repeat 500\` shows it now. Next I'll fix \`pool.close()\`.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'no longer blocked',
    lastMessage: 'We are no longer blocked by the CSS plugin: version 4.2 fixes it. The worker bundle is next.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'not stuck',
    lastMessage: `I'm not stuck: left recursion is solved with a Pratt parser. 12 of 58 fixtures pass.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'unblocked',
    lastMessage: 'That unblocked the query parser. Quotes work; prefixes follow.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'a blocked request as a feature',
    lastMessage: `Requests blocked by the rate limiter now get 429. I'll write the tests for it next.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'blocked by as a column name',
    lastMessage: '`todo list` has a column "blocked by" now that shows the ids a task depends on.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'event loop blocked',
    lastMessage:
      'The event loop was blocked by a synchronous `readFileSync` in the hot path; I replaced it. The suite runs 30% faster. Next: the race.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'stuck process fixed',
    lastMessage: 'The worker got stuck on a full pipe. Draining stderr fixes it; a test for that comes next.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'avoid getting stuck',
    lastMessage: 'To avoid getting stuck on deep nesting the parser now has an explicit stack. 40 of 58 fixtures pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'might get blocked',
    lastMessage: 'We might get blocked by the CI image later; for now I go on with env variables.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'if blocked',
    lastMessage: `If I get stuck on the tokenizer, I'll fall back to a regular expression. So far 9 tests pass.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'asks whether to continue',
    lastMessage: '`rm` works and is tested. Shall I go on with `export`?',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'would you like me to continue',
    lastMessage: 'Env variables are migrated. Would you like me to continue with the CI job?',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'offers more',
    lastMessage: `The tokenizer is in. Let me know if you'd like a different stemming algorithm; I'm going on with the index.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'a question about the code for itself',
    lastMessage: `Why does the printer double the spaces? I'll look into \`print.ts\` in the next iteration.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'waiting for a command',
    lastMessage: `The 100 runs are still going; I'm waiting for them to finish before I look at the numbers.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'waiting for ci',
    lastMessage: 'I pushed the branch and am waiting for the CI job to report.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'user decision as a feature',
    lastMessage: `The form waits for the user's confirmation before it deletes the session. Its tests are next.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'short intermediate',
    lastMessage: 'Added validation for the e-mail field.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'empty message',
    lastMessage: '',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'only a code block',
    lastMessage: `\`\`\`
58 passed
\`\`\``,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
]
