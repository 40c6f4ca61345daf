import type { Requirement } from './requirement.ts'

const where = 'docs/configuration.md'

export const config: Requirement[] = [
  {
    id: 'config-order',
    where,
    promise:
      'Flags win over the environment, that over the project file, that over the user file, that over the default, key by key.',
  },
  { id: 'config-nested-dotted', where, promise: 'Nested objects and dotted names in a file mean the same.' },
  { id: 'config-empty-variable', where, promise: 'An empty variable counts as not set.' },
  { id: 'config-none', where, promise: 'none (null in a file) takes away a value that a lower source gave.' },
  { id: 'config-repeated-flag', where, promise: 'A flag given several times is one list.' },
  {
    id: 'config-client-path',
    where,
    promise: 'A relative client path is relative to where it was typed, and refused in a file.',
  },
  { id: 'config-nearest-key', where, promise: 'An unknown key is an error that names the nearest right one.' },
  { id: 'config-wrong-value', where, promise: 'A wrong value is an error that says what would be right.' },
  { id: 'config-no-flag-injection', where, promise: 'No configured value can become a flag of the client.' },
  { id: 'config-not-json', where, promise: 'A file that is not a JSON object is an error with line and column.' },
  { id: 'config-set-twice', where, promise: 'The same key twice in one file is an error.' },
  {
    id: 'config-never-ignored',
    where,
    promise: 'What is wrong in a source is an error even where a higher source hides it.',
  },
  {
    id: 'config-unknown-variable',
    where,
    promise: 'An unknown REHOBOAM_ variable is a warning that names the nearest.',
  },
  {
    id: 'config-project-refused',
    where,
    promise:
      'A project file that sets client, environment, permissions or the daemon is an error that says why and where to put it.',
  },
  { id: 'config-project-daemon', where, promise: 'What belongs to the one daemon is never set by a project.' },
  {
    id: 'config-project-lower',
    where,
    promise: "A project may lower its user's limits on money, time and retries, never raise them.",
  },
  { id: 'config-too-large', where, promise: 'A config file over 1 MB is refused.' },
  {
    id: 'config-no-pollution',
    where,
    promise: 'Names like __proto__ in a file are unknown keys and change no object.',
  },
  {
    id: 'config-printable',
    where,
    promise: 'Foreign keys, values and paths cannot put control or bidirectional characters into an error.',
  },
  { id: 'config-many-faults', where, promise: 'A file with thousands of faults is told as twenty.' },
  { id: 'config-total', where, promise: 'No input makes resolving throw or yield a value outside the schema.' },
  { id: 'config-list', where, promise: 'The list has every key with value, default, origin and reason.' },
  { id: 'config-secret', where, promise: 'A secret value is shown as (set).' },
  { id: 'config-keys-argue', where, promise: 'Every key has a type, a fitting default, a sentence and a reason.' },
  {
    id: 'config-variables',
    where,
    promise: 'Every key has its own variable; every REHOBOAM_ name in src is known; no key is also a group.',
  },
  { id: 'config-parse-value', where, promise: 'Text is refused or read as a value that the schema accepts.' },
  {
    id: 'config-duration',
    where,
    promise: 'A duration is days, hours, minutes, seconds, largest first, read exactly.',
  },
  { id: 'config-json-same', where, promise: 'Our JSON reader accepts, refuses and reads as JSON.parse does.' },
  {
    id: 'config-json-place',
    where,
    promise: 'A JSON fault is told with line, column and what to do, comments included.',
  },
  { id: 'config-json-bounded', where, promise: 'A megabyte of hostile JSON neither overflows nor hangs.' },
  {
    id: 'config-edit-style',
    where,
    promise: 'A set keeps indentation, line ends, spacing and order of the file.',
  },
  {
    id: 'config-edit-group',
    where,
    promise: 'A new key goes into an existing group, else it is written dotted.',
  },
  { id: 'config-edit-once', where, promise: 'A key that stood twice stands once after a set.' },
  { id: 'config-edit-broken', where, promise: 'A broken file is not edited; the error says to mend it first.' },
  {
    id: 'config-edit-unset',
    where,
    promise: 'unset takes a key, known or not, with its comma and an emptied group.',
  },
  {
    id: 'config-edit-exact',
    where,
    promise: 'After a set the file says exactly that and of every other key what it said before.',
  },
  {
    id: 'config-file-places',
    where,
    promise: 'The files are found at their documented places; a relative XDG_CONFIG_HOME is ignored.',
  },
  { id: 'config-file-read', where, promise: 'A missing file is null; an existing one is read as it is.' },
  {
    id: 'config-file-unreadable',
    where,
    promise: 'What cannot be read as a config file is an error that says why, never a missing file.',
  },
  {
    id: 'config-file-mode',
    where,
    promise: 'A new user file is 0600 in a 0700 directory; a project file follows the umask.',
  },
  { id: 'config-file-kept', where, promise: 'A change keeps mode, owner and link, and leaves no other file.' },
  { id: 'config-file-refused', where, promise: 'A refused change touches nothing.' },
  { id: 'config-file-unset', where, promise: 'unset says whether the key was there.' },
  { id: 'config-file-together', where, promise: 'Changes at the same time in one process are all kept.' },
  { id: 'config-file-atomic', where, promise: 'A reader sees the old file or the new one, never a part.' },
  {
    id: 'config-doc-true',
    where,
    promise: 'The page says of every key what the schema says, and its examples are accepted.',
  },
]
