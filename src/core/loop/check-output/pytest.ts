import type { Failure, Reader } from './reading.ts'

/** pytest: the short summary at the end, else the titles of the reports above it. */
export const readPytest: Reader = lines => {
  if (!lines.some(line => SIGN.test(line))) return null
  const summary = lines.flatMap((line): Failure[] => {
    const listed = /^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\([^)]{0,100}\))?) (\S.*)$/.exec(line)
    return listed ? [split(listed[1]!)] : []
  })
  return summary.length > 0 ? summary : titles(lines)
}

const SIGN =
  /^=+ (?:test session starts|short test summary info|FAILURES|ERRORS) =+$|^(?:=+ )?\d{1,9} (?:passed|failed|errors?)\b.{0,200} in [\d.]{1,12}s/

/** `file::Class::test[a - b] - message`: the first " - " behind the parameters. */
function split(text: string): Failure {
  const bracket = text.indexOf('[')
  const dash = text.indexOf(' - ')
  const isInside = bracket >= 0 && bracket < dash
  const end = isInside ? text.indexOf('] - ', bracket) + 1 : dash
  const whole = end > 0 ? text.slice(0, end) : text
  const message = end > 0 ? text.slice(end + 3) : ''
  const [file = '', ...names] = whole.split('::')
  return { name: names.length > 0 ? names.join('::') : file, file, message }
}

/** `____ TestX.test_raises ____`, and the first line that begins with E. */
function titles(lines: string[]): Failure[] {
  return lines.flatMap((line, index): Failure[] => {
    const title = /^_{3,} (.{1,300}?) _{3,}$/.exec(line)
    if (!title) return []
    const error = lines.slice(index + 1, index + 200).find(below => /^(?:E {2,}|_{3,} )/.test(below))
    return [{ name: title[1]!, message: error?.startsWith('E') ? error.slice(1).trim() : '' }]
  })
}
