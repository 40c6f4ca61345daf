import { jsonObject } from './package-json.ts'

/** A file that tells a runner of tasks or a build tool what a check is; what of its text that is. */
type RunnerFile = { file: RegExp; program: RegExp; decides: (text: string) => string }

const whole = (text: string) => text.replace(/\s+/g, ' ').trim()
const keys =
  (...names: string[]) =>
  (text: string) => {
    const object = jsonObject(text)
    return object === null ? whole(text) : JSON.stringify(names.map(name => object[name]))
  }
/** A build tool's file holds dependencies too: only what leaves tests out counts. */
const leavesOut = (text: string) =>
  [...text.matchAll(/^.{0,300}(?:skip|exclude|ignoreFailure|testFailureIgnore|enabled|filter|onlyIf).{0,300}$/gim)]
    .map(([line]) => line.trim())
    .join('\n')

const RUNNER_FILES: RunnerFile[] = [
  { file: /^\.?justfile$/i, program: /\bjust\b/, decides: whole },
  { file: /^Taskfile(\.dist)?\.ya?ml$/i, program: /\btask\b/, decides: whole },
  { file: /^Rakefile$/i, program: /\brake\b/, decides: whole },
  { file: /^(turbo|nx|project)\.json$/, program: /\b(turbo|nx)\b/, decides: whole },
  { file: /^deno\.jsonc?$/, program: /\bdeno\b/, decides: keys('tasks', 'test', 'lint', 'exclude') },
  { file: /^composer\.json$/, program: /\bcomposer\b/, decides: keys('scripts') },
  { file: /^pom\.xml$/, program: /\bmvnw?\b/, decides: leavesOut },
  { file: /^(build|settings)\.gradle(\.kts)?$/, program: /\bgradlew?\b/, decides: leavesOut },
]

/** Has what one of these tells its runner changed, where the lines start that runner? */
export function runnerChange(name: string, before: string | null, after: string | null, lines: string[]): boolean {
  const runner = RUNNER_FILES.find(({ file }) => file.test(name))
  if (!runner || !lines.some(line => runner.program.test(line))) return false
  return runner.decides(before ?? '') !== runner.decides(after ?? '')
}
