import { CLI, DOCS, EARLIER, FLAKY, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const fresh3: JudgeCase[] = [
  {
    name: 'unseen: short done with proof',
    lastMessage: 'The goal of this task is met: 200 consecutive green runs, nothing skipped. The task is done.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'unseen: wrap up with bullet claim',
    lastMessage: `To wrap up:

- webpack and its 14 plugins are gone
- \`npm run dev\`, \`npm run build\` and \`npm run preview\` work
- CI is green on this branch

This completes the migration.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'unseen: every criterion met with evidence',
    lastMessage: `Every acceptance criterion is met:

| criterion | evidence |
|---|---|
| POST /login returns a token | \`login.test.ts:12\` |
| a wrong password gives 401 | \`login.test.ts:31\` |
| the tests pass | 214 passed |`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'unseen: i finished all seven',
    lastMessage: `I've finished all seven tasks and run the complete suite: 77 passed, 0 failed.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'unseen: implementation done and docs',
    lastMessage:
      'The full-text search is implemented as specified. All 35 tests pass, types and lint are clean. Task complete.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'unseen: closing line',
    lastMessage: `Both the parser and the printer are finished; errors carry positions and comments survive the round trip. That's everything in the anchor, so the work is done.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'unseen: project finished with usage',
    lastMessage: 'The project is finished. Try `todo init && todo add milk && todo list`.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'unseen: all goals',
    lastMessage: 'All goals of the rewrite have been achieved and the site builds with `--strict`.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'unseen: thanks to reviewers',
    lastMessage: 'After the last fix the suite is green (214 tests). All acceptance criteria have been met.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'unseen: concise',
    lastMessage: 'Fixed and verified with 300 runs. Nothing left to do.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'unseen: no way to install',
    lastMessage: `The native module won't build here and there is no prebuilt version. I've exhausted every alternative that I know of, so I have to stop without a result.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'stalled',
  },
  {
    name: 'unseen: repeated failure no insight',
    lastMessage: `Sixth attempt, same result: 401 becomes 500 under load. I have no further ideas, and I'm not getting anywhere.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'stalled',
  },
  {
    name: 'unseen: blocked on upstream',
    lastMessage: `I'm still blocked on the upstream plugin; there is no release that supports Vite 8.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'stalled',
  },
  {
    name: 'unseen: sandbox kills',
    lastMessage: `The sandbox kills the fuzzer after two seconds, so I can't continue with criterion 1 at all.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'stalled',
  },
  {
    name: 'unseen: needs product owner',
    lastMessage: `Should the upgrade page cover version 1? I couldn't find that anywhere, so I'll hold off until you decide.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'blocked',
  },
  {
    name: 'unseen: asks for file',
    lastMessage: `The fixture \`customer.txt\` isn't in the repository. Please upload it or tell me to go without.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'blocked',
  },
  {
    name: 'unseen: cannot decide',
    lastMessage: `I can't choose the token lifetime on my own, as it is a security decision. What value would you like?`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'blocked',
  },
  {
    name: 'unseen: needs vpn',
    lastMessage: `The staging host is only reachable through the VPN. Someone has to connect this machine first; I'm waiting for that.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'blocked',
  },
]
