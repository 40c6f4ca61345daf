import { blank } from './blank.ts'
import { languageOf, RUNS_NONE } from './test-file.ts'

/** The tests of one file: by name those that are run, how often something is left out, and how often singled out. */
export type Census = { names: string[]; leftOut: number; singledOut: number }

const NOTHING: Census = { names: [], leftOut: 0, singledOut: 0 }
// One test that is to be the only one: in some runners that is so across files.
const SINGLED_OUT = new RegExp(
  `\\.only\\b|\\bonly\\s*:\\s*true\\b|(?<![\\w.$])(?:fit|fdescribe|fcontext)\\b|${RUNS_NONE.source}`,
  'g',
)

// A file of tests that is larger was generated, and nobody reads all names of more tests than this.
const LARGEST = 512 * 1024
const MOST_NAMES = 5_000
const LONGEST_NAME = 300

export function censusOf(path: string, text: string | null): Census {
  const language = languageOf(path)
  if (language === null || text === null) return NOTHING
  const { code, bare } = blank(text.slice(0, LARGEST), language.syntax)
  const names = [...bare.matchAll(language.declares)].map((match, n) => {
    if (match.groups?.name !== undefined) return match.groups.name
    return n < MOST_NAMES ? firstString(code, match.index + match[0].length - 1) : ''
  })
  const count = (pattern: RegExp) => [...bare.matchAll(pattern)].length
  const said = language.leavesOutInComment
    ? [...text.slice(0, LARGEST).matchAll(language.leavesOutInComment)].length
    : 0
  return { names, leftOut: count(language.leavesOut) + said, singledOut: count(SINGLED_OUT) }
}

function firstString(code: string, from: number): string {
  return /(["'`])((?:\\.|(?!\1).)*)\1/s.exec(code.slice(from, from + LONGEST_NAME))?.[2] ?? ''
}
