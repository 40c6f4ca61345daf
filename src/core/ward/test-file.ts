import type { Syntax } from './blank.ts'

/**
 * How a language declares tests, and how it leaves them out. All patterns are matched where no comment and no string is, and all
 * are bounded: the files are an agent's.
 */
export type TestLanguage = {
  syntax: Syntax
  /** A test that is run; `name` is in a group, or in the first string after it. */
  declares: RegExp
  /** A test, or a group of them, that is not run or need not succeed; or all others that are not. */
  leavesOut: RegExp
}

const C_LIKE: Syntax = { lineComment: ['//'], block: true, quotes: ['"'], patterns: false }

const JAVASCRIPT: TestLanguage = {
  syntax: { lineComment: ['//'], block: true, quotes: ["'", '"', '`'], patterns: true },
  declares:
    /(?<![\w.$])(?<!function\s)(?:(?:Deno|tap|t)\.)?(?:it|test|specify)(?:\.(?:each|for|concurrent|sequential|serial|only|shuffle)){0,4}\s{0,9}[(`<]/g,
  leavesOut:
    /(?<![\w$])(?:it|test|tests|describe|suite|context|specify|bench|t|ctx|tap|Deno\.test)(?:\.\w{1,40}){0,4}\.(?:skip|skipIf|runIf|only|todo|fails|failing|fixme|ignore)\b|(?<![\w.$])(?:xit|xtest|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\b|\bthis\.skip\(|\b(?:skip|only|todo)\s*:\s*(?:true\b|process\b|[!'"`])|\bignore\s*:\s*true\b/g,
}

const PYTHON: TestLanguage = {
  syntax: { lineComment: ['#'], block: false, quotes: ['"""', "'''", '"', "'"], patterns: false },
  declares: /^[ \t]*(?:async[ \t]+)?def[ \t]+(?<name>test\w*)/gm,
  leavesOut:
    /\bmark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip|exit)\b|@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b|\.skipTest\(|\bSkipTest\b|\b__test__\s*=\s*False|\bcollect_ignore|\bpytest_(?:collection_modifyitems|ignore_collect|collect_file|runtest_makereport|runtest_protocol|pyfunc_call|sessionfinish|deselected)\b|\bos\._exit\(/g,
}

const RUST: TestLanguage = {
  syntax: C_LIKE,
  declares: /#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b[^\]]{0,200}\][^{;]{0,500}?\bfn\s+(?<name>\w+)/g,
  leavesOut: /#\[(?:ignore\b|cfg\((?:any\(\)|FALSE|not\(test\)))|#\[cfg_attr\([^\]]{0,200}\bignore\b/g,
}

const GO: TestLanguage = {
  syntax: { ...C_LIKE, quotes: ['"', '`'] },
  declares: /^func[ \t]+(?<name>(?:Test|Fuzz|Example)\w*)[ \t]*\(|\b[a-z]\w*\.Run\(/gm,
  leavesOut: /\b[a-z]\w*\.(?:Skip|SkipNow|Skipf)\(|\bos\.Exit\(0\)/g,
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
