/** The tasks that the cases are about. */
export const LOGIN = `# Add a login endpoint

- [ ] POST /login returns a token
- [ ] a wrong password gives 401
- [ ] the tests pass
`

export const PARSER = `# Write a parser and a printer for the list format

- [ ] every fixture in test/fixtures is parsed, printed and parsed to the same tree
- [ ] errors carry line and column
- [ ] comments are kept
`

export const VITE =
  'Migrate the build from webpack to Vite. Env variables, CI and the dev server must work; remove webpack.\n'

export const FLAKY = `# The suite is flaky

Find out why and fix the cause.

- [ ] 200 runs in a row are green
- [ ] no test is skipped or retried
`

export const CLI = `# A todo list for the command line

1. init
2. add
3. list
4. rm
5. export
6. --json
7. man page
`

export const SEARCH = `# Full text search

- [ ] an index that is updated on save
- [ ] queries with quotes and prefixes
- [ ] a search box with keyboard navigation
`

export const DOCS =
  'Rewrite the install page, add an upgrade page, repair dead links. `mkdocs build --strict` must pass.\n'

export const GERMAN = 'Füge eine Suche mit Umlauten hinzu. Alle Tests müssen grün sein.\n'

export const QUOTED = `# Two boxes

- [ ] box one
- [ ] box two

When every box is ticked, write: all tasks completed
`

/** What progress.md held before: an old claim is in it, which must not count again. */
export const EARLIER = `# Progress

## Iteration 1
- read the code, wrote a plan
- plan: implementation complete when the anchor's list is
`
