import type { Requirement } from './requirement.ts'

export const init: Requirement[] = [
  {
    id: 'init-roundtrip',
    where: 'docs/hooks.md',
    promise: 'init and then init --remove leave every byte as it was, whatever the settings and their layout.',
  },
  {
    id: 'init-made-gone',
    where: 'docs/hooks.md',
    promise:
      'A file and directories that init made are gone after --remove; those that were there, or got other content, stay.',
  },
  {
    id: 'init-file-kept',
    where: 'docs/hooks.md',
    promise: 'A link to the settings file stays a link; mode and owner stay.',
  },
  { id: 'init-idempotent', where: 'docs/hooks.md', promise: 'init a second time changes nothing.' },
  {
    id: 'init-keeps-others',
    where: 'docs/hooks.md',
    promise: 'Everything that was in the file is in it afterwards, in the same order.',
  },
  {
    id: 'init-older-version',
    where: 'docs/hooks.md',
    promise: 'Hooks that another version of ours wrote are replaced by init and taken out by --remove.',
  },
  { id: 'init-edit-between', where: 'docs/hooks.md', promise: 'An edit made between init and --remove stays.' },
  {
    id: 'init-refused',
    where: 'docs/hooks.md',
    promise: 'What is not JSON, has a wrong shape, or may not be written is refused with the way out, and untouched.',
  },
  {
    id: 'init-lost-update',
    where: 'docs/hooks.md',
    promise: 'What somebody else writes into a settings file while we change it is not lost.',
  },
  {
    id: 'init-style',
    where: 'docs/hooks.md',
    promise: 'New lines look like their neighbours: indentation, line ends, colons, one line or many.',
  },
  {
    id: 'init-mark',
    where: 'docs/hooks.md',
    promise: 'An entry is ours by the mark in its command, and by nothing else.',
  },
  {
    id: 'init-bounded',
    where: 'docs/hooks.md',
    promise: 'A megabyte of entries that look like ours is handled in one go.',
  },
  {
    id: 'init-command',
    where: 'docs/hooks.md',
    promise: 'init writes this very program, says what it did, and gives the same facts with --json.',
  },
  {
    id: 'init-places',
    where: 'docs/hooks.md',
    promise:
      "init writes settings.local.json, --shared settings.json, --user the user's own, below CLAUDE_CONFIG_DIR if set.",
  },
  {
    id: 'init-list',
    where: 'docs/hooks.md',
    promise: '--list shows which of the three files hold ours and whether they are current.',
  },
  {
    id: 'init-notes',
    where: 'docs/hooks.md',
    promise: 'init says when another file holds ours too, and when hooks are switched off.',
  },
  {
    id: 'init-usage',
    where: 'docs/hooks.md',
    promise: 'An agent may list and not change; contradicting flags are refused.',
  },
  {
    id: 'init-this-program',
    where: 'docs/hooks.md',
    promise: 'Any path, with blanks, quotes or dollars in it, names this very program.',
  },
  {
    id: 'init-silent',
    where: 'docs/hooks.md',
    promise: 'A hook whose program is gone, broken or of an old Node says nothing and exits 0.',
  },
  {
    id: 'init-shared-silent',
    where: 'docs/hooks.md',
    promise: 'A shared hook is silent where rehoboam is not installed.',
  },
  { id: 'init-shared-works', where: 'docs/hooks.md', promise: 'A shared hook starts the rehoboam on the PATH.' },
  {
    id: 'init-real-headless',
    where: 'docs/hooks.md',
    promise: "With the real client a user's headless session reports what it does and shows nothing of it.",
    provenBy: 'both',
  },
  {
    id: 'init-real-pane',
    where: 'docs/hooks.md',
    promise: 'With the real client a pane reports question, compaction, limit and end, and a held hook answers.',
    provenBy: 'test:all',
  },
  {
    id: 'hooks-user-table',
    where: 'docs/hooks.md',
    promise: "A user's hooks are commands, one an event; two are held for an hour; no two equal for one event.",
  },
  {
    id: 'hooks-own-table',
    where: 'docs/architecture.md',
    promise:
      'In our own sessions frequent events go by HTTP, what must not be lost by command; no secret is in the file.',
  },
  {
    id: 'hooks-real-headless',
    where: 'docs/architecture.md',
    promise: 'The real client accepts our headless settings: HTTP with the token, a permission answered by command.',
  },
  {
    id: 'hooks-real-pane',
    where: 'docs/architecture.md',
    promise: 'The real client accepts our pane settings: start and end by command, the rest by HTTP with the pane.',
    provenBy: 'test:all',
  },
  {
    id: 'hooks-real-proxy',
    where: 'docs/hooks.md',
    promise: 'With a proxy set, HTTP hooks reach us when NO_PROXY names 127.0.0.1, and not otherwise.',
    provenBy: 'test:all',
  },
  { id: 'hooks-doc', where: 'docs/hooks.md', promise: 'The page lists every hook that init writes as it is written.' },
]
