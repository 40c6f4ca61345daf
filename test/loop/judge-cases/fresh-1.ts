import { CLI, DOCS, EARLIER, FLAKY, GERMAN, LOGIN, PARSER, SEARCH, VITE } from './anchors.ts'
import type { JudgeCase } from './judge-case.ts'

export const fresh1: JudgeCase[] = [
  {
    name: 'fresh: claude summary with what i did',
    lastMessage: `Perfect! The login endpoint is now fully working. Let me summarize what I accomplished:

### What I did
1. **Created the route** (\`src/routes/login.ts\`) with input validation
2. **Added token signing** with the key from the configuration
3. **Wrote 14 tests**, covering the happy path and wrong passwords

All 214 tests pass and all three acceptance criteria from the anchor are met.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'fresh: all boxes ticked',
    lastMessage: `All three boxes in the anchor are ticked now, and each is backed by a test:

- [x] an index that is updated on save (\`index.test.ts\`)
- [x] queries with quotes and prefixes (\`query.test.ts\`)
- [x] a search box with keyboard navigation (\`ui.test.ts\`)`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'fresh: that completes the task',
    lastMessage: 'That completes the task: webpack is removed, CI is green and the dev server starts in 400 ms.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'fresh: nothing else to do',
    lastMessage: `\`mkdocs build --strict\` passes, the upgrade page is linked from the sidebar and the dead links are repaired. There's nothing else to do here; the task is finished.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'fresh: successfully completed the migration',
    lastMessage: `I have successfully completed the migration from webpack to Vite.

**Key changes:**
- \`vite.config.ts\` replaces three webpack files
- \`process.env.X\` became \`import.meta.env.VITE_X\` in 41 places
- The CI caches \`.vite\`

**Verification:** build ✅, unit tests ✅ (120), e2e ✅ (9)`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'complete',
  },
  {
    name: 'fresh: final status line',
    lastMessage:
      'Final status: all seven tasks are done, 77 tests pass, lint and types are clean. The run can end here.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'fresh: work is complete with caveat on scope',
    lastMessage:
      'The suite is stable: 500 runs, 0 failures. The work is complete. I deliberately left the unrelated deprecation warnings alone.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'complete',
  },
  {
    name: 'fresh: everything from the anchor',
    lastMessage:
      'Everything from the anchor is done: round trip for all fixtures, positions in errors, comments kept. `npm test`: 58 passed.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'fresh: requirements fulfilled',
    lastMessage:
      'I double-checked each point of the list against the code. All requirements are fulfilled and covered by tests.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'complete',
  },
  {
    name: 'fresh: task is fully complete',
    lastMessage: 'The documentation rewrite is fully complete and the strict build is green.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'complete',
  },
  {
    name: 'fresh: german done',
    lastMessage:
      'Alles ist erledigt: Die Suche findet Umlaute, und alle Tests sind grün. Die Aufgabe ist damit abgeschlossen.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: GERMAN,
    label: 'complete',
  },
  {
    name: 'fresh: all work finished and committed',
    lastMessage:
      'All work is finished and committed (3 commits on `feature/login`). `git status` is clean and CI passed.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'complete',
  },
  {
    name: 'fresh: summary heading and claim',
    lastMessage: `## Summary

All planned features have been implemented, tested and documented. The final test run shows 35 passing tests and no failures.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: SEARCH,
    label: 'complete',
  },
  {
    name: 'fresh: stop here',
    lastMessage: `I verified the round trip for every fixture. The implementation is complete, so I'm stopping here.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'complete',
  },
  {
    name: 'fresh: stuck on flake',
    lastMessage: `Honestly, I'm stuck. Whatever I change, run 37 or so fails with the same EADDRINUSE, and the trace tells me nothing new.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: FLAKY,
    label: 'stalled',
  },
  {
    name: 'fresh: blocked by compiler',
    lastMessage:
      'This is blocked by a compiler bug: every version of the module that I can install crashes `tsc` with a stack overflow. I found no way to avoid it.',
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: CLI,
    label: 'stalled',
  },
  {
    name: 'fresh: cannot get past',
    lastMessage: `I can't get past the \`Cannot access before initialization\` error. It comes from a circular import in a dependency that I am not allowed to patch.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: VITE,
    label: 'stalled',
  },
  {
    name: 'fresh: no progress for three iterations',
    lastMessage: `There has been no progress for three iterations: 51 of 58 fixtures pass, as before, and the same seven fail. I don't know what else to try.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: PARSER,
    label: 'stalled',
  },
  {
    name: 'fresh: tools are all denied',
    lastMessage: `Every command that I tried was denied, including reading the docs folder. I can't do any work under these conditions.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: DOCS,
    label: 'stalled',
  },
  {
    name: 'fresh: going nowhere',
    lastMessage: `We're going around in circles here: fixing the clock breaks the expiry test, fixing the expiry test breaks the clock. I'm unable to resolve this.`,
    progressBefore: EARLIER,
    progressAfter: EARLIER,
    anchor: LOGIN,
    label: 'stalled',
  },
]
