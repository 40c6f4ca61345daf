import { CLI, DOCS, EARLIER, FLAKY, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const fresh2: JudgeCase[] = [
  {
    name: 'fresh: needs a choice between two databases',
    lastMessage: `Two designs are possible, SQLite FTS or an own index, and the anchor doesn't say. Which one should I go with? I've stopped here, since the choice affects everything after it.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'blocked',
  },
  {
    name: 'fresh: needs a secret',
    lastMessage: `\`JWT_SECRET\` isn't set and I must not invent one. Could you add it to the environment? I'll pick the work up from there.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'blocked',
  },
  {
    name: 'fresh: approval for cost',
    lastMessage: `Re-embedding the corpus costs about $40. I'd like your approval before starting it.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'blocked',
  },
  {
    name: 'fresh: manual verification',
    lastMessage: `The old IE mode can only be checked by hand on a Windows machine. I'm waiting on you for that check.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'blocked',
  },
  {
    name: 'fresh: permission to push',
    lastMessage:
      'Pushing to `main` is protected. I need permission to push, or someone with rights has to merge the branch.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'blocked',
  },
  {
    name: 'fresh: contradiction needs owner',
    lastMessage:
      'Criterion 2 contradicts the fixture. Please let me know which of them is right before I change either.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'blocked',
  },
  {
    name: 'fresh: done with the first half',
    lastMessage: `The parser half is done. I'll tackle the printer in the next iteration.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'fresh: good progress',
    lastMessage: 'Good progress today: route and validation are complete, 9 tests pass. Token signing is up next.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'fresh: ready for review of a part',
    lastMessage:
      'The query parser is complete and ready for review. It handles quotes, prefixes and escaped characters.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'fresh: everything compiles',
    lastMessage: 'Everything compiles again after the move to ES modules.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'fresh: claim then known issue',
    lastMessage: 'All seven commands are implemented. Known issue: `export` loses umlauts on Windows.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'fresh: claims with a caveat',
    lastMessage:
      'The task is complete as far as I can verify here; CI runs on another kernel, where it may behave differently.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'fresh: tests written but red',
    lastMessage: 'I wrote all the tests first. As expected, they are red at this point: 14 failed.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'fresh: planning done',
    lastMessage: 'Planning is done. tasks.md has seven entries, none of them started.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'fresh: all subtasks of a task',
    lastMessage: 'All subtasks of TASK-002 are completed.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'fresh: complete in passing',
    lastMessage: 'I now have a complete picture of the docs and started rewriting the install page.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'continue',
  },
  {
    name: 'fresh: got unstuck',
    lastMessage: 'Finally got unstuck: the lookahead was off by one. 44 of 58 fixtures pass now.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'fresh: depends on other worker',
    lastMessage:
      'The UI depends on the query parser, so I did the query parser first. The UI is blocked by nothing now.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'fresh: table of criteria with unknown',
    lastMessage: `| criterion | state |
|---|---|
| 200 green runs | 140 so far |
| nothing skipped | yes |

The fix is implemented.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'fresh: waits for a build',
    lastMessage: 'The production build takes long; I left it running and wait for its result.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
]
