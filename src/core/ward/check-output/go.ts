import { type Failure, messageBelow, type Reader } from './reading.ts'

/** `go test`: `--- FAIL: Test`, and its package, which is named behind its tests. */
export const readGo: Reader = lines => {
  if (!lines.some(line => /^(?:ok|FAIL|---|\?) {0,3}(?:\t\S|\s{1,4}\S+\t| FAIL: )/.test(line))) return null
  const failures: Failure[] = []
  let pending: Failure[] = []
  for (const [index, line] of lines.entries()) {
    const failed = /^\s{0,60}--- FAIL: (\S+)/.exec(line)
    if (failed) pending.push({ name: failed[1]!, message: messageBelow(lines, index, isFrame) })
    const end = /^(?:FAIL|ok)\s{1,4}(\S+)(?:\s(.*))?$/.exec(line)
    if (!end) continue
    if (line.startsWith('FAIL')) failures.push(...ofPackage(end[1]!, pending, end[2] ?? ''))
    pending = []
  }
  // Cut off before the package's own line: better without its name than not at all.
  return [...failures, ...leaves(pending)]
}

const isFrame = (line: string) => /^\s{0,60}(?:---|===|FAIL|ok|PASS)(?:\s|$)/.test(line)

function ofPackage(name: string, tests: Failure[], remark: string): Failure[] {
  if (tests.length === 0) return [{ name, message: /\[.{1,100}\]/.exec(remark)?.[0] ?? '' }]
  return leaves(tests).map(test => ({ ...test, name: `${name} ${test.name}` }))
}

/** A test whose subtest failed says so too: `TestA` and `TestA/sub` are one failure. */
function leaves(tests: Failure[]): Failure[] {
  const parents = new Set<string>()
  for (const { name } of tests)
    for (let slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
      // A name of a thousand slashes is not worth a thousand parents.
      if (slash > 300) break
      parents.add(name.slice(0, slash))
    }
  return tests.filter(({ name }) => !parents.has(name))
}

/** `go test -json`: one event per line. */
export const readGoJson: Reader = lines => {
  const events = lines.flatMap(eventOf)
  if (events.length === 0) return null
  const messages = new Map<string, string>()
  const byPackage = new Map<string, Failure[]>()
  const failedPackages: string[] = []
  for (const { action, name, test, output } of events) {
    const key = `${name} ${test}`
    const isNews = output !== '' && !isFrame(output)
    if (action === 'output' && isNews && !messages.has(key)) messages.set(key, output)
    if (action !== 'fail') continue
    if (test === '') failedPackages.push(name)
    else
      byPackage.set(name, [
        ...(byPackage.get(name) ?? []).slice(0, 999),
        { name: test, message: messages.get(key) ?? '' },
      ])
  }
  for (const name of failedPackages) if (!byPackage.has(name)) byPackage.set(name, [])
  return [...byPackage].flatMap(([name, tests]) => ofPackage(name, tests, ''))
}

function eventOf(line: string): { action: string; name: string; test: string; output: string }[] {
  if (!line.startsWith('{"') || !line.includes('"Action":')) return []
  try {
    const { Action, Package, Test, Output } = JSON.parse(line) as Record<string, unknown>
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    return [{ action: text(Action), name: text(Package), test: text(Test), output: text(Output).trim() }]
  } catch {
    return []
  }
}
