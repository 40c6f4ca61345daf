import { type Failure, lineBelow, type Reader } from './reading.ts'

/** pytest: the short summary at the end, else the titles of the reports above it. */
export const readPytest: Reader = lines => {
  if (!lines.some(line => SIGN.test(line))) return null
  const placed = placedBy(lines)
  const summary = lines.flatMap((line): Failure[] => {
    const listed = /^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\([^)]{0,100}\))?) (\S.*)$/.exec(line)
    return listed ? [placed(split(listed[1]!))] : []
  })
  return summary.length > 0 ? summary : titles(lines)
}

const SIGN =
  /^=+ (?:test session starts|short test summary info|FAILURES|ERRORS) =+$|^(?:=+ )?\d{1,9} (?:passed|failed|errors?)\b.{0,200} in [\d.]{1,12}s/

/** Its own report above has the place: `____ TestX.test_raises ____`, and below it `file:line: error`. */
function placedBy(lines: string[]): (failure: Failure) => Failure {
  const titles = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    const title = TITLE.exec(line)?.[1]?.replace(/^ERROR at \w{1,20} of /, '')
    if (title !== undefined && !titles.has(title)) titles.set(title, index)
  }
  const isNext = (line: string) => /^(?:_{3,} |=+ )/.test(line)
  return failure => {
    const index = titles.get(failure.name.replaceAll('::', '.'))
    return index === undefined ? failure : { ...failure, ...lineBelow(lines, index, failure.file ?? '', isNext) }
  }
}

const TITLE = /^_{3,} (.{1,300}?) _{3,}$/

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
    const title = TITLE.exec(line)
    if (!title) return []
    const error = lines.slice(index + 1, index + 200).find(below => /^(?:E {2,}|_{3,} )/.test(below))
    return [{ name: title[1]!, message: error?.startsWith('E') ? error.slice(1).trim() : '' }]
  })
}
