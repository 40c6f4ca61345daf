import type { Syntax } from './blank.ts'

/**
 * How a language declares tests, and how it leaves them out. All patterns are matched where no comment and no string is, and all
 * are bounded: the files are an agent's.
 */
type TestLanguage = {
  syntax: Syntax
  /** A test that is run; `name` is in a group, or in the first string after it. */
  declares: RegExp
  /** A test, or a group of them, that is not run or need not succeed; or all others that are not. */
  leavesOut: RegExp
  /** The same, where the language says it in a comment. */
  leavesOutInComment?: RegExp
}

const C_LIKE: Syntax = { lineComment: ['//'], block: true, quotes: ['"'], patterns: false }

const JAVASCRIPT: TestLanguage = {
  syntax: { lineComment: ['//'], block: true, quotes: ["'", '"', '`'], patterns: true },
  declares:
    /(?<![\w.$])(?<!function\s)(?:(?:Deno|tap|t)\.)?(?:it|test|specify)(?:\.(?:each|for|concurrent|sequential|serial|only|shuffle)){0,4}\s{0,9}[(`<]/g,
  leavesOut:
    /(?<![\w$])(?:it|test|tests|describe|suite|context|specify|bench|t|ctx|tap|Deno\.test)(?:\.\w{1,40}){0,4}\.(?:skip|skipIf|runIf|only|todo|fails|failing|fixme|ignore)\b|(?<![\w.$])(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\b|\bthis\.skip\(|(?<![\w.$])(?:skip|pending)\(\s*[)'"`]|=\s*[\w$]{1,40}\.(?:skip|only|todo|fails|failing|fixme)\b|\b(?:it|test|describe|suite)\(\s*['"`][^'"`]{0,300}['"`],\s*\{[^{}]{0,200}\b(?:skip|todo)\s*:\s*(?!false\b|null\b|undefined\b)|\bif\s*\(\s*(?:false|0|!\s*true)\s*\)|\bprocess\.env\.CI\b|\bprocess\.exit\(\s*0?\s*\)|\b(?:skip|only|todo)\s*:\s*(?:true\b|process\b|[!'"`])|\bignore\s*:\s*true\b/g,
}

const PYTHON: TestLanguage = {
  syntax: { lineComment: ['#'], block: false, quotes: ['"""', "'''", '"', "'"], patterns: false },
  declares: /^[ \t]*(?:async[ \t]+)?def[ \t]+(?<name>test\w*)/gm,
  leavesOut:
    /\bmark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip|exit)\b|@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b|\.skipTest\(|\bSkipTest\b|^from\s+(?:pytest|unittest)\s+import\b[^\n]{0,200}\b(?:skip\w*|xfail|importorskip)\b|\bsys\.exit\(\s*0?\s*\)|^if\s+(?:False|0)\s*:|\b__test__\s*=\s*False|\bcollect_ignore|\bpytest_(?:collection_modifyitems|ignore_collect|collect_file|runtest_makereport|runtest_protocol|pyfunc_call|sessionfinish|deselected)\b|\bos\._exit\(/gm,
}

const RUST: TestLanguage = {
  syntax: C_LIKE,
  declares: /#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b[^\]]{0,200}\][^{;]{0,500}?\bfn\s+(?<name>\w+)/g,
  leavesOut:
    /#\[(?:ignore\b|cfg\((?:any\(\)|FALSE|not\(test\)))|#\[cfg_attr\([^\]]{0,200}\bignore\b|#\[cfg\([^\]]{0,200}\]\s{0,99}#\[(?:\w{1,40}::){0,3}test\b|#\[test\]\s{0,99}#\[cfg\(|#\[cfg\(all\([^\]]{0,200}\btest\b[^\]]{0,200}\]\s{0,99}mod\b/g,
}

/** A TestMain of Go that runs no test, whichever file of its package they are in. */
export const RUNS_NONE = /\bfunc[ \t]+TestMain\((?![\s\S]{0,3000}\.Run\()/

const GO: TestLanguage = {
  syntax: { ...C_LIKE, quotes: ['"', '`'] },
  declares: /^func[ \t]+(?<name>(?:Test|Fuzz|Example)\w*)[ \t]*\(|\b[a-z]\w*\.Run\(/gm,
  leavesOut: new RegExp(`\\b[a-z]\\w*\\.(?:Skip|SkipNow|Skipf)\\(|\\bos\\.Exit\\(0\\)|${RUNS_NONE.source}`, 'g'),
  leavesOutInComment: /^\/\/(?:go:build| ?\+build)\b/gm,
}

/** Enough for the rest of the field: what its frameworks call a test, and what they call one that is left out. */
const OTHER: TestLanguage = {
  syntax: { ...C_LIKE, quotes: ['"', "'"] },
  declares:
    /@(?:Test|ParameterizedTest|RepeatedTest)\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|#\[Test\b|\bfunc(?:tion)?\s+(?<name>test\w*)|^[ \t]*(?:it|specify|test|scenario|@test)[ \t]+["']|^[ \t]*def[ \t]+test_\w+|\bTEST(?:_F|_P|_CASE)?\(/gm,
  leavesOut:
    /@(?:Disabled|Ignore|Ignored)\b|\[(?:Ignore|Skip)\b|\bSkip\s*=|\bmarkTest(?:Skipped|Incomplete)\(|^[ \t]*(?:xit|xdescribe|xspecify|pending|skip)\b|@tag\s+:?skip|\bXCTSkip\b|\bGTEST_SKIP\b|\bDISABLED_\w+/gm,
}

const LANGUAGES: [extensions: RegExp, language: TestLanguage][] = [
  [/\.[cm]?[jt]sx?$|\.(vue|svelte)$/, JAVASCRIPT],
  [/\.py$/, PYTHON],
  [/\.rs$/, RUST],
  [/\.go$/, GO],
  [/\.(java|kt|kts|scala|groovy|cs|fs|swift|php|rb|ex|exs|dart|c|cc|cpp|cxx|m|mm|bats)$/, OTHER],
]

const IN_FOLDER = /(^|\/)(__tests__|tests?|specs?|e2e|integration)\//
const BY_NAME =
  /[._-](test|tests|spec|specs|e2e|cy|test-d)\.[^./]+$|(^|\/)(test_[^/]*|conftest|tests?)\.py$|(^|\/)tests?\.[cm]?[jt]sx?$|_test\.\w+$|(Test|Tests|TestCase|Spec|IT)\.(java|kts?|scala|groovy|cs|fs|swift|php|mm?|dart)$|(^|\/)Test[A-Z]\w*\.\w+$/
const NOT_TESTS = /(^|\/)(fixtures?|__fixtures__|testdata|__mocks__|mocks|node_modules)\//

export function languageOf(path: string): TestLanguage | null {
  return LANGUAGES.find(([extensions]) => extensions.test(path))?.[1] ?? null
}

export function isNamedAsTest(path: string): boolean {
  return BY_NAME.test(path) && !NOT_TESTS.test(path)
}

/** What decides about tests in other files than its own. */
export function isForAllTests(path: string): boolean {
  return /(^|\/)conftest\.py$/.test(path)
}

/** Whether a file holds tests: by its name and place; where tests stand beside the code, by what it says. */
export function isTestFile(path: string, text: string): boolean {
  if (languageOf(path) === null || NOT_TESTS.test(path)) return false
  if (BY_NAME.test(path) || IN_FOLDER.test(path)) return true
  if (path.endsWith('.rs')) return /#\[(?:cfg\(test\)|(?:\w+::)*test)\b/.test(text)
  return /\bimport\.meta\.vitest\b/.test(text)
}
