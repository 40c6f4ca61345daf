import { type Failure, lineBelow, messageBelow, placeOf, type Reader } from './reading.ts'

/** vitest's own words: ` FAIL  file > group > test`, the error below it. */
export const readVitest: Reader = lines => {
  if (!lines.some(line => /^\s{0,2}(?:RUN|DEV)\s{1,3}v\d|^\s*Test Files\s\s?\d/.test(line))) return null
  return lines.flatMap((line, index): Failure[] => {
    const unhandled = /^Vitest caught \d{1,9} unhandled error/.test(line.trim())
    if (unhandled) return [{ name: 'unhandled errors', message: line.trim() }]
    const failed = /^ ?FAIL {1,3}(?:\|[^|]{1,100}\| {1,2})?(\S.*)$/.exec(line)
    if (!failed) return []
    const [file = '', ...names] = failed[1]!.split(' > ')
    const isNext = (next: string) => /^ ?FAIL /.test(next)
    const message = messageBelow(lines, index, isNext)
    // A file that could not be loaded has no test: `b.test.ts [ b.test.ts ]`.
    const path = file.split(' [ ')[0]!.trim()
    return [
      {
        name: names.length > 0 ? names.join(' > ') : path,
        file: path,
        ...lineBelow(lines, index, path, isNext),
        message,
      },
    ]
  })
}

/** jest: `FAIL file`, then `● group › test` with the error below it. */
export const readJest: Reader = lines => {
  if (!lines.some(line => /^Test Suites: /.test(line))) return null
  const failures: Failure[] = []
  let file = ''
  for (const [index, line] of lines.entries()) {
    const suite = /^(?:FAIL|PASS) (?:[\w@/-]{1,100}: )?(\S+\.\w{1,5})(?: \([\d.]{1,12} m?s\))?\s*$/.exec(line)
    if (suite) file = suite[1]!
    const failed = /^ {2}● (.+)$/.exec(line)
    if (!failed || NOT_A_TEST.test(failed[1]!)) continue
    const name = failed[1]! === 'Test suite failed to run' ? file : failed[1]!.split(' › ').join(' > ')
    const isNext = (next: string) => /^(?: {2}● |FAIL |PASS )/.test(next)
    const place = file ? { file, ...lineBelow(lines, index, file, isNext) } : {}
    failures.push({ name, ...place, message: messageBelow(lines, index) })
  }
  return failures
}

const NOT_A_TEST = /^(?:Console|Validation|Deprecation|Multiple|Cannot log|process\.exit)/

/** Node's own runner in its readable form: everything that failed stands again below `✖ failing tests:`. */
export const readNodeTest: Reader = lines => {
  const start = lines.findIndex(line => /^✖ failing tests:/.test(line))
  const isNode =
    start >= 0 || (lines.some(line => /^ℹ tests \d/.test(line)) && lines.some(line => /^ℹ fail \d/.test(line)))
  if (!isNode) return null
  if (start < 0) return []
  const below = lines.slice(start)
  return below.flatMap((line, index): Failure[] => {
    const failed = /^✖ (.+?)(?: \([\d.]{1,20}ms\))?$/.exec(line)
    const place = /^test at (.+)$/.exec(below[index - 1] ?? '')
    if (!failed || !place) return []
    return [{ name: failed[1]!, ...placeOf(place[1]!), message: messageBelow(below, index) }]
  })
}
