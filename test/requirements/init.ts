import type { Requirement } from './requirement.ts'

export const init: Requirement[] = [
  {
    id: 'init-roundtrip',
    where: 'docs/hooks.md',
    promise: 'init and then init --remove leave every byte as it was, and what others wrote before or between stays.',
  },
  {
    id: 'init-refused',
    where: 'docs/hooks.md',
    promise:
      'A file that is not what it should be, or may not be written, is refused and untouched. What somebody writes meanwhile is not lost.',
  },
  {
    id: 'init-style',
    where: 'docs/hooks.md',
    promise: 'New lines look like their neighbours: indentation, line ends, colons, one line or many.',
  },
  {
    id: 'init-mark',
    where: 'docs/hooks.md',
    promise:
      'An entry is ours by the mark in its command. init replaces ours of any version, and a second time it changes nothing.',
  },
  {
    id: 'init-command',
    where: 'docs/hooks.md',
    promise:
      'init writes this program into the file that is asked for, lists what is there, says what else matters, and refuses wrong usage.',
  },
  {
    id: 'init-this-program',
    where: 'docs/hooks.md',
    promise: 'Any path, with blanks, quotes or dollars in it, names this very program.',
  },
  {
    id: 'init-silent',
    where: 'docs/hooks.md',
    promise: 'A hook whose program is gone, broken or not installed says nothing and exits 0.',
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
