import { CLI, DOCS, EARLIER, FLAKY, LOGIN, PARSER, QUOTED, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const continue1: JudgeCase[] = [
  {
    name: 'incomplete in capitals',
    lastMessage: `Status: INCOMPLETE

The route exists, validation and tests are missing.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'not done yet',
    lastMessage: 'Not done yet. The token is signed but nothing checks it.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'task 3 of 7 complete',
    lastMessage: 'Task 3 of 7 complete. Next: `rm`.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'task 3/7 complete',
    lastMessage: 'Task 3/7 completed: `list` prints a table. All tests pass (31).',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'should be done',
    lastMessage: 'The migration should be done now. I have not run the e2e tests.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'once x is done all tasks are completed',
    lastMessage: 'Once the printer is done, all tasks are completed.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'complete except',
    lastMessage: `Implementation complete except for escapes in strings, which I'll do next.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'heading completed with work left',
    lastMessage: `## Completed
- init
- add

## Remaining
- list
- rm
- export`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'heading all tasks completed as a future section',
    lastMessage: `Progress so far:

## All tasks completed

(will be filled in when we get there)

## In progress
- \`rm\``,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'claim beside a failing test',
    lastMessage: `All tasks completed.

\`\`\`
Tests  2 failed | 212 passed (214)
\`\`\``,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'claim beside prose failing tests',
    lastMessage: `Implementation complete. 2 tests are failing because of the clock mock; I'll look at them in the next iteration.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'claim with failing one',
    lastMessage: 'The implementation is complete, but one test still fails: `deep.txt` overflows the stack.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'quotes the anchor',
    lastMessage:
      'The anchor says: say "all tasks completed" when every box is ticked. Two boxes are still open, so I go on with the second one.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: QUOTED,
    label: 'continue',
  },
  {
    name: `quotes the anchor's line word for word`,
    lastMessage: `My instructions:

> When every box is ticked, write: all tasks completed

I ticked the first box in this iteration.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: QUOTED,
    label: 'continue',
  },
  {
    name: `repeats the anchor's sentence without marks`,
    lastMessage: `When every box is ticked, write: all tasks completed

That's the rule that I follow. Box one is ticked now.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: QUOTED,
    label: 'continue',
  },
  {
    name: 'code block with the claim',
    lastMessage: `I added the final message to the program:

\`\`\`ts
console.log('All tasks completed.')
\`\`\`

Next I'll write the test for it.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'inline code with the claim',
    lastMessage: `The command prints \`All tasks completed\` when the list is empty. I'll do \`rm\` next.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'string literal in quotes',
    lastMessage: '`todo list` now says "all tasks completed" when the list is empty, in green.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'phase one complete',
    lastMessage: 'Phase 1 is complete: the config builds. Phase 2 (env variables) and phase 3 (CI) are open.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'this part is complete',
    lastMessage: 'The index part is complete. The query parser comes next.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'backend is complete frontend is not',
    lastMessage: 'The backend implementation is complete and tested. The frontend has not been started.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'only tests pass',
    lastMessage: 'All 180 existing tests pass with the new middleware in place.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'almost complete',
    lastMessage: 'The migration is almost complete. What remains is the CI job.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'nearly done',
    lastMessage: 'Nearly done: the last page lacks screenshots.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'continue',
  },
  {
    name: 'ninety percent',
    lastMessage: 'The implementation is about 90% complete.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'i will complete',
    lastMessage: 'I will complete all tasks in the next iteration.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'to complete all tasks',
    lastMessage: 'To complete all tasks, I still need to write the printer and the fixtures.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'after that all tasks will be completed',
    lastMessage: 'I finished `export`. After the man page all tasks will be completed.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'when all tasks are completed',
    lastMessage: `When all tasks are completed I'll update the changelog. For now \`list\` and \`rm\` work.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'until all tasks are complete',
    lastMessage: `I'll keep going until all tasks are complete. This iteration: \`add\` with validation.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'if everything works then complete',
    lastMessage: 'If the next 100 runs are green, the task is complete. I started them in the background.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'unless',
    lastMessage: 'The task is complete unless the CI run shows the failure again.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'i think it is complete',
    lastMessage: 'I think the implementation is complete, but I have not checked the production build.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'probably done',
    lastMessage: 'The race is probably fixed and the work is likely complete; a longer run has to show it.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
]
