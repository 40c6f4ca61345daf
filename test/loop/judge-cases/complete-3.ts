import { CLI, DOCS, EARLIER, FLAKY, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const complete3: JudgeCase[] = [
  {
    name: 'states that earlier it was incomplete',
    lastMessage:
      'The previous iteration left the printer half finished; I finished it now. All tasks are completed and all 58 tests pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'mentions incomplete input as a feature',
    lastMessage:
      'The parser reports incomplete input with its position instead of crashing. All acceptance criteria are met.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'mentions a todo application',
    lastMessage:
      'The todo list manager is complete. `todo add`, `todo list` and `todo done` behave as the anchor says, and the 77 tests pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'mentions error handling and failed logins',
    lastMessage:
      'Failed logins are counted and slowed down, errors are logged without the password. The implementation is complete and all 214 tests pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'mentions a blocked user feature',
    lastMessage: 'A blocked account gets 403 with a reason. All tasks are completed, and the 220 tests pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'mentions waiting as a feature',
    lastMessage:
      'The box waits 150 ms after the last key before it searches. The feature is complete; all 35 tests pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'mentions if in code behaviour',
    lastMessage: `If the file is missing, \`list\` prints an empty list and exits with 0. Unknown commands exit with 2.

All requirements are implemented and tested.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'last sentence with everything is complete',
    lastMessage:
      'I removed the last webpack loader, ran the e2e suite against the preview server (9 passed), and updated the README. Everything is complete.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'work complete with statistics',
    lastMessage: `Work complete.

- runs: 500
- failures: 0
- slowest: 3.2 s`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'a claim in a bullet list',
    lastMessage: `Summary:

- Install page rewritten
- Upgrade page added
- Links repaired, checker green
- All tasks completed`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'claim in bullet with check',
    lastMessage: `- ✅ Route and validation
- ✅ Token signing
- ✅ 14 tests, all green
- ✅ All acceptance criteria met`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'successfully implemented everything',
    lastMessage: `I've successfully implemented all of the requirements from the anchor. The index survives restarts, quotes and prefixes work, and the keyboard navigation is covered by 4 end-to-end tests.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'both criteria',
    lastMessage:
      'Both criteria are satisfied: no test is skipped, and 500 runs in a row are green. The work is complete.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'finished after review',
    lastMessage: 'I reviewed the diff once more against the anchor. Every criterion is fulfilled; the task is done.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'thanks and done',
    lastMessage: 'That was the last page. All the documentation work is complete now, and the strict build passes.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'all todo items complete',
    lastMessage: `All todo items are complete:

☒ init
☒ add
☒ list
☒ rm
☒ export
☒ --json
☒ man page`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'done with colon',
    lastMessage: 'Done: everything in the anchor is implemented, `npm test` is green with 214 tests.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'italian complete',
    lastMessage: 'Tutte le attività sono completate e tutti i 35 test passano.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'mission wording',
    lastMessage: 'The migration from webpack to Vite has been completed. All 120 unit tests and 9 e2e tests pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'no further work is needed',
    lastMessage:
      'The race is gone and the regression test proves it. No further work is needed; all criteria in the anchor are met.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'complete then a rhetorical summary table',
    lastMessage: `All 7 subcommands are implemented and the task is complete.

| command | tests |
|---|---|
| init | 6 |
| add | 14 |
| list | 21 |
| rm | 9 |
| export | 12 |
| --json | 10 |
| man | 5 |`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'chinese complete',
    lastMessage: '所有任务已完成。35 个测试全部通过。',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
]
