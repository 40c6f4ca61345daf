import type { CommandResult } from '../../contract/ward.ts'
import type { Failure } from './check-output.ts'

/** A command of the ward with what it printed, and the failures that are named in it. */
export type ReadCheck = { result: CommandResult; output: string; failures: Failure[] }

/** Was a failure of this command there before the run began? */
type IsOld = (command: string, failure: Failure) => boolean

// Of each kind. Whoever mends fifty of them has mended the rest, or has to look anew anyway.
const MOST_NAMED = 50
const OUTPUT_CHARACTERS = 6_000

/**
 * What whoever mends it has to know: first the failures that are new, each with its place, then those that were there before,
 * then what the commands printed last.
 */
export function wardReport(read: ReadCheck[], isOld: IsOld | null): string {
  const bad = read.filter(({ result }) => result.how !== 'green')
  const all = bad.flatMap(({ result: { command }, failures }) => {
    return failures.map(failure => ({ failure, command, isOld: isOld?.(command, failure) ?? false }))
  })
  const [fresh, old] = [all.filter(one => !one.isOld), all.filter(one => one.isOld)]
  const parts = [
    list(isOld === null ? 'What fails' : 'What fails since this began', fresh, bad.length > 1),
    list('What failed before as well, and is not the work at hand', old, bad.length > 1),
    ...bad.map(printed),
  ]
  return parts.filter(Boolean).join('\n\n')
}

/** Where the output is of a format that we know, each failure that it names is a check. Lines move, so they are no part of it. */
export function nameOfFailure({ name, file }: Failure): string {
  return file ? `${file} ${name}` : name
}

type Named = { failure: Failure; command: string }

function list(title: string, found: Named[], isOfSeveral: boolean): string {
  if (found.length === 0) return ''
  const lines = found.slice(0, MOST_NAMED).map(({ failure: { file, line, name, message }, command }) => {
    const place = file && (line ? `${file}:${line}` : file)
    // A compiler's message is in the name already.
    const said = message && !name.includes(message) ? message : ''
    const words = [place, name === file ? '' : name, said].filter(Boolean).join(': ')
    return `- ${words}${isOfSeveral ? `  ($ ${command})` : ''}`
  })
  const rest = found.length - lines.length
  return [`${title} (${found.length}):`, ...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')
}

function printed({ result: { command, how, code, why }, output }: ReadCheck): string {
  const end = output.length > OUTPUT_CHARACTERS ? `…${output.slice(-OUTPUT_CHARACTERS)}` : output
  const said = why ?? (code === null ? how : `exit code ${code}`)
  return [`$ ${command}  (${how}: ${said})`, ...(end.trim() ? ['', end.trimEnd()] : [])].join('\n')
}
