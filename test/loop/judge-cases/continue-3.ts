import { CLI, DOCS, EARLIER, FLAKY, GERMAN, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const continue3: JudgeCase[] = [
  {
    name: 'commit report',
    lastMessage: 'Committed `9f8e7d6`: index is updated on save. 12 tests pass.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'plan only',
    lastMessage: `Here is the plan:

1. Replace the webpack configuration
2. Move env variables
3. Update CI
4. Remove webpack packages

All tasks completed means that \`rg webpack\` finds nothing.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'definition of done',
    lastMessage: `Definition of done for this project: all tasks are completed, tests are green, the man page exists. We're at two of seven.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'a checklist template',
    lastMessage: `I wrote a checklist for the release:

- Implementation complete?
- Changelog written?
- Version raised?

None of it is ticked so far.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'question form',
    lastMessage: 'Is the implementation complete? No: refresh tokens are missing.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'german not complete',
    lastMessage: 'Die Aufgabe ist noch nicht abgeschlossen. Es fehlen die Umlaute.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: GERMAN,
    label: 'continue',
  },
  {
    name: 'german partly',
    lastMessage: 'Teil 1 ist abgeschlossen, die Suche selbst kommt als Nächstes.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: GERMAN,
    label: 'continue',
  },
  {
    name: 'german will be',
    lastMessage: 'Sobald die Tests grün sind, sind alle Aufgaben abgeschlossen.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: GERMAN,
    label: 'continue',
  },
  {
    name: 'french not yet',
    lastMessage: `Les tâches ne sont pas encore terminées : il reste l'index.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'spanish not yet',
    lastMessage: 'Todavía no están completadas todas las tareas; falta el índice.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: `reports another's claim`,
    lastMessage: 'The earlier notes claim that all tasks are completed, which is wrong: `export` writes an empty file.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'the last iteration said so',
    lastMessage:
      'Iteration 4 had reported "Implementation complete". I checked it: escapes are not handled. Fixing that now.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'old claim in progress only',
    lastMessage: 'I found two more fixtures that fail and fixed one of them.',
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
- fixed escapes.txt, deep.txt still fails
`,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'progress gained says partial',
    lastMessage: 'See the progress file.',
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
## Iteration 2
- index: done
- query parser: in progress
- UI: not started
`,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'claim in message against progress that says open',
    lastMessage: 'All tasks in this iteration are completed.',
    progressBefore: EARLIER,
    progressAfter: `${EARLIER}
- index done, query parser and UI are still open
`,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: `this iteration's tasks`,
    lastMessage: 'All of the tasks for this iteration are complete. `export` and the man page are left for later ones.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: `today's part`,
    lastMessage: 'That completes the install page. The upgrade page is next.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'continue',
  },
  {
    name: 'completed the refactoring step',
    lastMessage: 'I completed the refactoring that was needed first. The endpoint itself has not been touched.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'subagent report',
    lastMessage:
      'The explorer subagent reports "task complete" for its search. I now know where `rm` belongs and will write it.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'complete rewrite as adjective',
    lastMessage: 'This needs a complete rewrite of the tokenizer. I began with numbers and strings.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'complete list as adjective',
    lastMessage: 'Here is the complete list of commands that I found in the old code: init, add, list, rm, export.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'done as a feature name',
    lastMessage: '`todo done 3` marks the entry as done. `rm` is next.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'all tests pass but coverage lacking',
    lastMessage: `All 190 tests pass, however the 401 case is not covered. I'll add it.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'lint errors beside a claim',
    lastMessage: `Implementation complete. \`biome check\` reports 4 errors that I'll fix next.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'build fails beside a claim',
    lastMessage: 'All tasks are done, however `npm run build` fails with an unresolved import.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'pytest failures beside claim',
    lastMessage: `All tasks completed!

\`\`\`
=================== 1 failed, 34 passed in 2.31s ===================
\`\`\``,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'type errors beside claim',
    lastMessage: `The implementation is complete.

    src/auth/token.ts(12,5): error TS2345: Argument of type 'string' is not assignable.

I will fix the type error next.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'continue',
  },
  {
    name: 'could not verify',
    lastMessage: 'All tasks are complete, although I could not run the tests here.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'continue',
  },
  {
    name: 'untested',
    lastMessage: 'The fix is complete but untested.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'continue',
  },
  {
    name: 'partially',
    lastMessage: `The feature is partially complete: quotes work, prefixes don't.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'continue',
  },
  {
    name: 'yet to',
    lastMessage: 'All subcommands are implemented; the man page has yet to be written.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'continue',
  },
  {
    name: 'far from complete',
    lastMessage: 'This is far from complete, but the tokenizer is solid now.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'continue',
  },
  {
    name: 'table of contents',
    lastMessage: `I drafted the outline:

- Install
- Upgrade
- Implementation complete checklist

Text follows in the next iteration.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'continue',
  },
  {
    name: 'hidden in a details heading',
    lastMessage: `### Task complete

I've written the first two sections of the install page; four more to go.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'continue',
  },
]
