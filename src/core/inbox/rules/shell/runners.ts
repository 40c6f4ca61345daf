import { plainPath } from '../ground.ts'
import { programName } from './name.ts'
import type { ShellWord } from './word.ts'
import { SHELLS } from './wrappers.ts'

/*
 * They run a program that their next word names. A rule must name it too: `Bash(npx vitest *)` holds, `Bash(npx *)` does
 * not, because it would allow every program there is.
 */
const RUNNERS = [
  ...['npx', 'bunx', 'pnpx', 'uvx', 'pipx run', 'npm exec', 'npm x', 'pnpm exec', 'pnpm dlx', 'yarn exec', 'yarn dlx'],
  ...['bun x', 'uv run', 'uv tool run', 'uv x', 'poetry run', 'pipenv run', 'pdm run', 'hatch run', 'rye run'],
  ...[
    'conda run',
    'bundle exec',
    'mise exec',
    'mise x',
    'asdf exec',
    'rbenv exec',
    'pyenv exec',
    'nvm exec',
    'fnm exec',
  ],
  ...['volta run', 'nix run', 'nix develop', 'nix shell', 'go run', 'dotnet exec', 'corepack', 'ip netns'],
].map(runner => runner.split(' '))

/** How many words stand before the program that is run; 0: it is no runner. */
export function runnerPrefix(words: readonly ShellWord[]): number {
  const [first, ...rest] = words
  if (first === undefined) return 0
  const name = programName(first)
  if (SHELLS.has(name)) return 1
  const runner = RUNNERS.find(
    ([own, ...more]) => own === name && more.every((word, index) => rest[index]?.value === word),
  )
  return runner?.length ?? 0
}

/** Why the words after the prefix do not plainly name what is run, or null. */
export function runnerFault(words: readonly ShellWord[], prefix: number): string | null {
  const name = words
    .slice(0, prefix)
    .map(({ text }) => text)
    .join(' ')
  const program = words[prefix]
  if (program === undefined) return `${name} runs what comes in: it always asks`
  if (program.value === null || program.value.startsWith('-')) return `what ${name} runs cannot be seen: it asks`
  return isStream(program.value) ? `${name} runs what comes in: it always asks` : null
}

/*
 * Languages. A file may be run under `x *`; code among the arguments or on the way in may not. Before the file only these
 * flags are passed over.
 */
const HARMLESS_FLAGS: Record<string, string[]> = {
  python: ['-u', '-B', '-E', '-s', '-q', '-O', '-OO'],
  node: [
    '--test',
    '--watch',
    '--enable-source-maps',
    '--no-warnings',
    '--trace-warnings',
    '--experimental-strip-types',
  ],
}
const INTERPRETERS =
  /^(?:(python|pypy|node|nodejs|ruby|perl|php|lua|luajit|tclsh|wish|Rscript|R|julia|octave|guile|groovy|scala|elixir|ocaml|java|swift|kotlin|tsx|ts-node)(?:[\d.]*))$/

export function interpreterFault(words: readonly ShellWord[]): string | null {
  const [first, ...rest] = words
  const language = INTERPRETERS.exec(programName(first!))?.[1]
  if (language === undefined) return null
  if (rest.length === 1 && /^(?:--version|-v|-V|--help|-h)$/.test(rest[0]!.value ?? '')) return null
  const harmless = HARMLESS_FLAGS[language] ?? []
  const at = rest.findIndex(({ value }) => value === null || !harmless.includes(value))
  const file = rest[at]
  const isModule = language === 'python' && file?.value === '-m' && isModuleName(rest[at + 1]?.value ?? '')
  if (isModule || (file === undefined && rest.some(({ value }) => value === '--test'))) return null
  const plain = file?.value && !file.value.startsWith('-') && !isStream(file.value)
  return plain ? null : `${language} with code of its own asks, whatever rules say`
}

/** Python's modules that take code as an argument are no better than -c. */
function isModuleName(name: string): boolean {
  return /^[A-Za-z_][\w.]*$/.test(name) && !/^(?:timeit|code|pdb|profile|cProfile|trace|runpy|idlelib)\b/.test(name)
}

/** A file that is whatever comes in. */
function isStream(path: string): boolean {
  return path.startsWith('/')
    ? /^\/(?:dev|proc)\//.test(plainPath(path) ?? '/dev/')
    : /\.\.\/.*\b(?:dev|proc)\//.test(path)
}
