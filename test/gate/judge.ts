import type { Requirement } from '../requirements/requirement.ts'
import { citedIn } from './citation.ts'

export interface RanTest {
  file: string
  /** The titles of the suites around it, then its own. */
  titles: string[]
  /** pending: its file ended before it did. */
  state: 'passed' | 'failed' | 'skipped' | 'pending'
  /** `test.fails`: green while the thing is broken. */
  expectedToFail: boolean
}

export interface Complaint {
  about: string
  items: string[]
}

/** Which tests were asked for: every file of the command or some of them, of `npm test` or of `npm run test:all`. */
export interface Scope {
  full: boolean
  all: boolean
}

/** Returns what is wrong with the run as evidence for our promises. */
export function judge(requirements: Requirement[], tests: RanTest[], scope: Scope): Complaint[] {
  const known = new Set(requirements.map(({ id }) => id))
  const cited = tests.map(test => ({ test, ids: new Set(test.titles.flatMap(citedIn)) }))
  const idsOf = (of: typeof cited) => new Set(of.flatMap(({ ids }) => [...ids]))
  const proven = idsOf(cited.filter(({ test }) => isProof(test)))
  // A failed test makes the run red by itself. Its promises are not named a second time, so that a retry can clear both.
  const failed = idsOf(cited.filter(({ test }) => test.state === 'failed'))
  const provenFast = idsOf(cited.filter(({ test }) => isProof(test) && !isOnlyAll(test)))
  const isAsked = ({ provenBy }: Requirement) => scope.full && (scope.all || provenBy !== 'test:all')

  return [
    {
      about: 'promises listed twice',
      items: requirements
        .filter(({ id }, index) => requirements.findIndex(other => other.id === id) !== index)
        .map(name),
    },
    {
      about: 'promises whose id cannot be cited (topic first, kebab-case, two words at least)',
      items: requirements.filter(({ id }) => citedIn(`[${id}]`).length === 0).map(name),
    },
    {
      about: 'promises that no passing test cites',
      items: requirements.filter(one => isAsked(one) && !proven.has(one.id) && !failed.has(one.id)).map(name),
    },
    {
      about: 'promises marked provenBy test:all that a test of npm test proves (remove the mark)',
      items: requirements.filter(({ id, provenBy }) => provenBy === 'test:all' && provenFast.has(id)).map(name),
    },
    {
      about: 'tests that cite no promise (end the title with [its-id], see CONTRIBUTING.md)',
      items: cited.filter(({ ids }) => ids.size === 0).map(({ test }) => place(test)),
    },
    {
      about: 'ids that are not in test/requirements/',
      items: cited.flatMap(({ test, ids }) => [...ids].filter(id => !known.has(id)).map(id => `${id}: ${place(test)}`)),
    },
    {
      about: 'tests that were skipped or never finished',
      items: tests.filter(({ state }) => state === 'skipped' || state === 'pending').map(place),
    },
    {
      about: 'tests that are expected to fail: they prove nothing',
      items: tests.filter(({ expectedToFail }) => expectedToFail).map(place),
    },
  ].filter(({ items }) => items.length > 0)
}

function isProof({ state, expectedToFail }: RanTest): boolean {
  return state === 'passed' && !expectedToFail
}

/** Whether the file runs in `npm run test:all` only. */
function isOnlyAll({ file }: RanTest): boolean {
  return /\.all\.test\.tsx?$/.test(file)
}

function name({ id, where, promise }: Requirement): string {
  return `${id}: ${promise} (${where})`
}

function place({ file, titles }: RanTest): string {
  return [file, ...titles].join(' > ')
}
