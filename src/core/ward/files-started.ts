import { programName } from '../inbox/rules/shell/name.ts'
import { runnerPrefix } from '../inbox/rules/shell/runners.ts'
import { readCommandLine } from '../inbox/rules/shell/source.ts'
import type { ShellWord } from '../inbox/rules/shell/word.ts'
import { SHELLS, WRAPPERS } from '../inbox/rules/shell/wrappers.ts'

/** Whatever files they are given, they look at them, move them or name them: none of it is run. */
const LOOKS = new Set(
  [
    'test [ grep egrep fgrep rg ag ack diff cmp comm ls cat tac head tail wc stat file du df tree sort uniq cut tr nl od xxd hexdump',
    'strings column paste join fold fmt rev expr seq sleep echo printf true false : cd pushd popd pwd basename dirname readlink realpath',
    'md5sum sha1sum sha256sum sha512sum shasum cksum sum b2sum which type hash mkdir rmdir rm cp mv ln touch chmod install mktemp tee',
    'less more export set unset read shift return exit wait git shellcheck curl wget tar gzip gunzip zip unzip base64 yes date id',
  ].flatMap(line => line.split(' ')),
)
/** Their files are looked at too, but for the program that a flag names. */
const FILTERS = new Set('sed gsed awk gawk mawk nawk jq yq'.split(' '))
const INTERPRETERS =
  /^(?:node|nodejs|bun|deno|tsx|ts-node|python|pypy|ruby|perl|php|lua|Rscript|java|coverage|source|\.)[\d.]*$/
/** Beside those that rules about commands know. */
const MORE_WRAPPERS = new Set('! c8 nyc pnpm yarn if then else elif while until do {'.split(' '))
/** Flags of test runners and linters that name what decides about them. */
const NAMES_A_PROGRAM =
  /^(?:-[cfrp]|--(?:config|configuration|conf|file|from-file|require|import|loader|experimental-loader|preload|project|rcfile|init-file|env-file|rulesdir|plugin|reporter|globalsetup|setup\w*))$/i
const SCRIPT = /\.[a-z]\w{0,4}$/i
const DEEPEST = 4

/**
 * The files that lines of shell start, by their paths: `node scripts/test.mjs`, `./check.sh`, what a test runner is configured
 * with. These decide what is checked. A file that is only looked at (`test -s notes.txt`) is the work itself.
 */
export function filesStarted(lines: string[]): Set<string> {
  const found = lines.flatMap(line => startedIn(line, 0))
  return new Set(found.map(path => path.replace(/^(\.\.?\/)+/, '')))
}

function startedIn(line: string, depth: number): string[] {
  if (depth > DEEPEST) return []
  // What make says before a recipe: be silent, go on.
  const { parts, unclear } = readCommandLine(line.replace(/^[@+-]+/, ''))
  // Nobody wrote that by hand: then every file in it counts.
  if (parts.some(part => part.type === 'unclear' && part.why.includes('too long')) || unclear?.includes('too long'))
    return line.split(/[\s;&|()"'`@]+/)
  const commands = parts.flatMap(part => (part.type === 'command' ? [part.words] : []))
  const started = commands.flatMap(words => startedBy(words, depth))
  const places = commands.flatMap(([program, to]) => (program?.guess === 'cd' && to ? [to.guess] : []))
  const within = places.flatMap(place =>
    started.map(path => `${place.replace(/\/+$/, '')}/${path.replace(/^\.\//, '')}`),
  )
  // `cat check.sh | sh`, `sh < check.sh`: what is looked at is run.
  const given = commands.some(takesWhatComesIn)
    ? parts.flatMap(part => (part.type === 'command' ? part.words : part.type === 'file' ? [part.word] : []))
    : []
  return [...started, ...within, ...given.map(({ guess }) => guess)]
}

function startedBy(words: ShellWord[], depth: number): string[] {
  const [program, ...rest] = words
  if (!program) return []
  const name = programName(program)
  if (LOOKS.has(name)) return []
  if (name === 'find')
    return rest.flatMap((word, n) => (/^-(exec|ok)/.test(word.guess) ? inner(rest.slice(n + 1), depth) : []))
  if (FILTERS.has(name)) return namedByFlags(rest)
  if (SHELLS.has(name)) return [program.guess, ...scriptOfShell(rest, depth)]
  // A variable may hold any program, most likely one of these.
  if (INTERPRETERS.test(name) || /[$`]/.test(program.text)) return [program.guess, ...scriptOf(rest)]
  const plain = MORE_WRAPPERS.has(name) ? 0 : WRAPPERS.get(name)
  const prefix = runnerPrefix(words)
  if (plain !== undefined || prefix > 0) return inner(prefix > 0 ? words.slice(prefix) : rest, depth, plain ?? 0)
  // `./x` without an ending is a program whoever is told to run it; `./src/main.ts` is what a linter looks at.
  const paths = rest
    .map(({ guess }) => guess)
    .filter(path => /^\.\.?\//.test(path) && /(?:\/[^/.]+|\.(?:ba|z)?sh)$/.test(path))
  return [program.guess, ...namedByFlags(rest), ...paths]
}

/** `env -i A=1 timeout 5 ./check.sh`: the command inside, and each text that is a command of its own. */
function inner(words: ShellWord[], depth: number, plain = 0): string[] {
  const texts = words.filter(({ guess }) => /\s/.test(guess)).flatMap(({ guess }) => startedIn(guess, depth + 1))
  if (/^-[vV]$/.test(words[0]?.guess ?? '')) return []
  const first = words.findIndex(({ guess }) => !/^-|^\w+=/.test(guess))
  const at = words.findIndex(word => {
    const name = programName(word)
    return LOOKS.has(name) || SHELLS.has(name) || INTERPRETERS.test(name) || word.guess.startsWith('./')
  })
  // A flag may have a value or not: then a program that we know is the surer beginning.
  const begins = first > 0 && at > first ? at : first < 0 ? words.length : first + plain
  return depth > DEEPEST ? texts : [...texts, ...startedBy(words.slice(begins), depth + 1)]
}

function scriptOfShell(words: ShellWord[], depth: number): string[] {
  const at = words.findIndex(({ guess }, n) => !/^[-+]/.test(guess) && !/^[-+][oO]$/.test(words[n - 1]?.guess ?? ''))
  const code = words.slice(0, at + 1).some(({ guess }) => /^-[a-z]*c$/.test(guess))
  if (at < 0) return []
  return code ? startedIn(words[at]!.guess, depth + 1) : [words[at]!.guess, ...namedByFlags(words.slice(0, at))]
}

/** The file that an interpreter runs, and what its flags load before it; what follows the file is only given to it. */
function scriptOf(words: ShellWord[]): string[] {
  const guesses = words.map(({ guess }) => guess)
  const rest = /^(run|test|task)$/.test(guesses[0] ?? '') ? guesses.slice(1) : guesses
  if (rest.includes('--test')) return rest.filter(word => !word.startsWith('-'))
  const files = namedByFlags(words)
  for (const [n, word] of rest.entries()) {
    const before = rest[n - 1] ?? ''
    if (before === '-m') return [...files, ...moduleFiles(word)]
    if (/^-[ep]$|^--(eval|print)$/.test(before) || (before === '-c' && !SCRIPT.test(word))) return files
    if (word.startsWith('-') || NAMES_A_PROGRAM.test(before)) continue
    files.push(word)
    if (!before.startsWith('-') || SCRIPT.test(word)) return files
  }
  return files
}

/** `python -m checks.run`. */
function moduleFiles(name: string): string[] {
  const path = name.replaceAll('.', '/')
  return [`${path}.py`, `${path}/__main__.py`]
}

function namedByFlags(words: ShellWord[]): string[] {
  return words.flatMap(({ guess }, n) => {
    const [, flag = guess, value = words[n + 1]?.guess] = /^(--[\w-]+)=(.+)$/.exec(guess) ?? []
    return NAMES_A_PROGRAM.test(flag) && value !== undefined ? [value] : []
  })
}

function takesWhatComesIn([program, ...rest]: ShellWord[]): boolean {
  const name = program ? programName(program) : ''
  if (SHELLS.has(name)) return rest.every(({ guess }) => /^-[^c-]*$/.test(guess))
  return INTERPRETERS.test(name) && rest.every(({ guess }) => guess === '-')
}
