import { type Failure, placeOf, type Reader } from './reading.ts'

/** A group that is being read: a subtest, whose result follows it, or a block, whose result stood before it. */
type Open = { indent: number; name: string; hasFailedInside: boolean; failed: Failure | null }

// Far above what is kept of them.
const ENOUGH = 1_000

/** TAP 13 and 14, with groups as Node's runner (`# Subtest:` above) and vitest (`{` behind) write them. */
export const readTap: Reader = lines => {
  if (!lines.some(line => /^TAP version 1[34]\s*$/.test(line)) && !isBareTap(lines)) return null
  const failures: Failure[] = []
  const open: Open[] = []
  const fail = (failure: Failure) => {
    for (const group of open) group.hasFailedInside = true
    failures.push(failure)
  }
  // A group that fails because of what is inside it is not a failure of its own; one that fails by itself (a hook) is.
  const close = () => {
    const { failed, hasFailedInside } = open.pop()!
    if (failed && !hasFailedInside) fail(failed)
  }
  for (const [index, line] of lines.entries()) {
    if (failures.length >= ENOUGH) break
    const text = line.trim()
    const indent = line.length - line.trimStart().length
    const subtest = /^# Subtest: (.+)$/.exec(text)
    const result = /^(not )?ok\b(?: \d{1,9})?(?: -)?(?: (.*))?$/.exec(text)
    if (/^Bail out!/.test(text)) fail({ name: text })
    if (text === '}' && open.length > 0) close()
    if (!subtest && !result) continue

    while (open.length > 0 && open.at(-1)!.indent > indent) close()
    const mine = open.at(-1)?.indent === indent ? open.pop() : undefined
    if (subtest) {
      open.push({ indent, name: subtest[1]!, hasFailedInside: false, failed: null })
      continue
    }
    const { name, isExcused, isBlock } = described(result![2] ?? '')
    const path = [...open.map(group => group.name), name].join(' > ')
    const failed = result![1] && !isExcused ? { name: path, ...detailsBelow(lines, index) } : null
    if (isBlock) open.push({ indent: indent + 1, name, hasFailedInside: false, failed })
    else if (failed && !mine?.hasFailedInside) fail(failed)
  }
  while (open.length > 0) close()
  return failures
}

function isBareTap(lines: string[]): boolean {
  return lines.some(line => /^1\.\.\d{1,9}(?:\s|$)/.test(line)) && lines.some(line => /^(?:not )?ok \d/.test(line))
}

/** A test that is still to do, or was left out, may fail. */
function described(text: string): { name: string; isExcused: boolean; isBlock: boolean } {
  const isBlock = text.endsWith(' {')
  const whole = isBlock ? text.slice(0, -2) : text
  const hash = /(?<!\\)\s# ?(?:(todo|skip)|time=)/i.exec(whole)
  const name = (hash ? whole.slice(0, hash.index) : whole).replaceAll('\\#', '#').trim()
  return { name, isExcused: hash?.[1] !== undefined, isBlock }
}

/** The YAML block below a result: what went wrong, and where. */
function detailsBelow(lines: string[], index: number): Omit<Failure, 'name'> {
  if (lines[index + 1]?.trim() !== '---') return {}
  const details: Omit<Failure, 'name'> = {}
  for (const line of lines.slice(index + 2, index + 42)) {
    const field = /^(error|message|location|at): (.+)$/.exec(line.trim())
    if (line.trim() === '...') break
    if (!field) continue
    const value = field[2]!.replace(/^(['"])(.*)\1$/, '$2')
    if (field[1] === 'location' || field[1] === 'at') Object.assign(details, { ...placeOf(value), ...details })
    else if (!/^[|>]-?$/.test(value)) details.message ??= value
  }
  return details
}
