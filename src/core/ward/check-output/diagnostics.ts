import { counted, type Failure, messageBelow, type Reader } from './reading.ts'

/** TypeScript, plain (`a.ts(1,2): error TS1: ...`) and pretty (`a.ts:1:2 - error TS1: ...`). */
export const readTsc: Reader = lines => {
  const found = lines.flatMap((line): Failure[] => {
    const error = /^(?:(\S.{0,300}?)(?:\((\d{1,9}),\d{1,9}\):|:(\d{1,9}):\d{1,9} -) )?error (TS\d{1,6}): (.*)$/.exec(
      line,
    )
    if (!error) return []
    const [, file, plain, pretty, code, message = ''] = error
    return [{ name: `${code}: ${message}`, ...(file ? { file, line: Number(plain ?? pretty) } : {}), message }]
  })
  return found.length > 0 ? counted(found) : null
}

/** biome: `a.ts:1:2 lint/group/rule ━━━`, the sentence below it. Warnings and notes (`!`, `i`) are none. */
export const readBiome: Reader = lines => {
  const found = lines.flatMap((line, index): Failure[] => {
    const title =
      /^(\S.{0,300}?)(?::(\d{1,9}):\d{1,9})? ((?:lint|assist|parse|format|organizeImports|suppressions)\S{0,100})(?: {1,2}FIXABLE)? ?━+$/.exec(
        line.trimEnd(),
      )
    const message = messageBelow(lines, index)
    if (!title || !/^[×✖]/.test(message)) return []
    const [, file, at, name] = title as unknown as [string, string, string | undefined, string]
    return [{ name, file, ...(at ? { line: Number(at) } : {}), message: message.slice(1) }]
  })
  return found.length > 0 ? counted(found) : null
}

/** eslint's default: a line with the file, then `  1:2  error  words  rule`. */
export const readEslint: Reader = lines => {
  if (!lines.some(line => /^✖ \d{1,9} problems? \(/.test(line))) return null
  let file = ''
  const found: Failure[] = []
  for (const line of lines) {
    if (/^\S+\.\w{1,6}$/.test(line)) file = line
    const error = /^(\d{1,9}):\d{1,9} +error +(.+)$/.exec(line.trim())
    if (!error) continue
    const words = error[2]!
    const gap = words.lastIndexOf('  ')
    const rule = gap > 0 ? words.slice(gap).trim() : words
    found.push({
      name: rule,
      ...(file ? { file, line: Number(error[1]) } : {}),
      message: gap > 0 ? words.slice(0, gap) : words,
    })
  }
  return counted(found)
}
