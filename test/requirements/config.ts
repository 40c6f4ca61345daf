import type { Requirement } from './requirement.ts'

const where = 'docs/configuration.md'

export const config: Requirement[] = [
  {
    id: 'config-order',
    where,
    promise:
      'Flags win over the environment, that over the project file, that over the user file, that over the default, key by key. An empty variable does not count, and none takes a value away.',
  },
  {
    id: 'config-nearest-key',
    where,
    promise: 'An unknown key or REHOBOAM_ variable is said with the nearest right one.',
  },
  {
    id: 'config-wrong-value',
    where,
    promise:
      'A wrong value or file is an error that says where it is wrong and what would be right, also where a higher source hides it.',
  },
  {
    id: 'config-no-flag-injection',
    where,
    promise:
      'No configured value can become a flag of the client, change an object, reach a terminal unescaped, or make resolving throw.',
  },
  {
    id: 'config-project-refused',
    where,
    promise:
      'A project file that sets client, environment, permissions or the daemon is an error that says why and where to put it.',
  },
  {
    id: 'config-project-lower',
    where,
    promise: "A project may lower its user's limits on money, time and retries, never raise them.",
  },
  {
    id: 'config-list',
    where,
    promise: 'The list has every key with its variable, value, default, origin and reason.',
  },
  { id: 'config-secret', where, promise: 'A secret value is shown as (set).' },
  {
    id: 'config-json-place',
    where,
    promise: 'Files are read as JSON, with work that is bounded. A fault is told with line, column and what to do.',
  },
  {
    id: 'config-edit-broken',
    where,
    promise: 'A broken file is not edited, and a change that is refused touches nothing.',
  },
  {
    id: 'config-edit-exact',
    where,
    promise:
      'After set or unset the file says exactly that, keeps its style, and says of every other key what it said before.',
  },
  {
    id: 'config-file-places',
    where,
    promise: 'The files are found at their documented places, and a missing one is no error.',
  },
  {
    id: 'config-file-kept',
    where,
    promise:
      'A change keeps mode, owner and link. A reader sees the old file or the new one, and changes at the same time are all kept.',
  },
  {
    id: 'config-doc-true',
    where,
    promise: 'The page says of every key what the schema says, and its examples are accepted.',
  },
]
