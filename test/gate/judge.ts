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

/** What is wrong with the run as evidence for our promises. Tests that failed are the runner's own business. */
export function judge(requirements: Requirement[], tests: RanTest[], run: { full: boolean }): Complaint[] {
  const known = new Set(requirements.map(({ id }) => id))
  const cited = tests.map(test => ({ test, ids: new Set(test.titles.flatMap(citedIn)) }))
  const proven = new Set(cited.filter(({ test }) => isProof(test)).flatMap(({ ids }) => [...ids]))

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
      items: run.full ? requirements.filter(({ id }) => !proven.has(id)).map(name) : [],
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

function name({ id, where, promise }: Requirement): string {
  return `${id}: ${promise} (${where})`
}

function place({ file, titles }: RanTest): string {
  return [file, ...titles].join(' > ')
}
