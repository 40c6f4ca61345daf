import { counted, type Failure, placeOf, type Reader } from './reading.ts'

/** `cargo test`, `cargo nextest`, and the compiler's errors when it does not come to that. */
export const readCargo: Reader = lines => {
  const isCargo = lines.some(line =>
    /^test result: |^running \d{1,9} tests?$|^error: could not compile |^ {4,}(?:FAIL|SIGABRT) \[|^ +Compiling \S+ v\d/.test(
      line,
    ),
  )
  if (!isCargo) return null
  const panics = panicsIn(lines)
  const tests = lines.flatMap((line): Failure[] => {
    const failed = /^test (.{1,400}?) (?:- should panic )?\.\.\. FAILED\s*$/.exec(line)
    if (failed) return [{ name: failed[1]!, ...panics.get(failed[1]!) }]
    const next = /^ {1,12}(?:FAIL|SIGABRT|TIMEOUT) \[[ \d.s>]{1,20}\] (?:\( {0,9}\d{1,9}\/\d{1,9}\) )?(\S+ \S.*)$/.exec(
      line,
    )
    return next ? [{ name: next[1]! }] : []
  })
  return tests.length > 0 ? tests : counted(compilerErrors(lines))
}

/** What each test said when it panicked: `---- name stdout ----`, then the place, then the words. */
function panicsIn(lines: string[]): Map<string, Omit<Failure, 'name'>> {
  const panics = new Map<string, Omit<Failure, 'name'>>()
  let name = ''
  for (const [index, line] of lines.entries()) {
    name = /^---- (.{1,400}) stdout ----$/.exec(line)?.[1] ?? name
    const place = / panicked at (\S{1,300}):$/.exec(line)
    if (place && name !== '' && !panics.has(name))
      panics.set(name, { ...placeOf(place[1]!), message: lines[index + 1] ?? '' })
  }
  return panics
}

function compilerErrors(lines: string[]): Failure[] {
  return lines.flatMap((line, index): Failure[] => {
    const error = /^error(\[E\d{1,6}\])?: (.{1,400})$/.exec(line)
    const place = error && /^ *--> (\S{1,300})$/.exec(lines[index + 1] ?? '')
    return error && place
      ? [{ name: `error${error[1] ?? ''}: ${error[2]}`, ...placeOf(place[1]!), message: error[2]! }]
      : []
  })
}
