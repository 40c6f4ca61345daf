import { gitFault } from './git.ts'
import { hidesFlag, programName } from './name.ts'
import { awkFault, makeFault, printfFault, sedFault } from './small-languages.ts'
import { directoryAt } from './subcommands.ts'
import { testArgumentsFault } from './test-expression.ts'
import type { ShellWord } from './word.ts'

/*
 * Arguments with which a common program runs another program, or takes its orders from a file that somebody else wrote.
 * `x *` means any arguments, but nobody who writes `rg *` means `rg --pre sh`. Not complete and cannot be: a rule with a
 * star trusts the program. What is known to be abused is here (after gtfobins.github.io and the programs' manuals).
 */
type Hazard = {
  /** Long flags, also shortened (`--to-com`) and with a value (`--pre=sh`). */
  long?: string
  /** Letters of short flags, alone or in a bundle. */
  letters?: string
  /** Words that stand alone: subcommands, and flags with one dash. */
  words?: string
  /** Beginnings of arguments that are code, or bring it from elsewhere. */
  starts?: string
  /** After `--` come the arguments of somebody else. */
  endsAtDashes?: true
}

const PACKAGE_MANAGER: Hazard = {
  long: 'script-shell shell node-options node-option userconfig globalconfig editor git viewer call init-module rcfile use-yarnrc prefix dir cwd',
  words: 'config set c pkg edit explore -C',
  endsAtDashes: true,
}

const HAZARDS: Record<string, Hazard> = {
  find: { words: '-exec -execdir -ok -okdir -delete -fprint -fprint0 -fprintf -fls -files0-from' },
  fd: { long: 'exec exec-batch', letters: 'xX' },
  fdfind: { long: 'exec exec-batch', letters: 'xX' },
  rg: { long: 'pre hostname-bin' },
  tar: {
    long: 'use-compress-program to-command checkpoint-action info-script new-volume-script rsh-command rmt-command',
    letters: 'IF',
  },
  bsdtar: { long: 'use-compress-program' },
  cpio: { long: 'rsh-command' },
  rsync: { long: 'rsh rsync-path', letters: 'e' },
  scp: { letters: 'SoFD' },
  sftp: { letters: 'SoFDb' },
  curl: { long: 'config', letters: 'K' },
  wget: { long: 'execute use-askpass config', letters: 'ei' },
  sort: { long: 'compress-program' },
  split: { long: 'filter' },
  install: { long: 'strip-program' },
  sdiff: { long: 'diff-program' },
  zip: { long: 'unzip-command', letters: 'T' },
  tcpdump: { letters: 'z' },
  fzf: { long: 'preview bind' },
  go: { words: 'tool generate -C', long: 'exec toolexec vettool ldflags overlay modfile' },
  cargo: { long: 'config manifest-path', letters: 'ZC', endsAtDashes: true },
  gcc: { long: 'wrapper fplugin specs', letters: 'B' },
  clang: { long: 'fplugin', letters: 'B' },
  pytest: { long: 'confcutdir rootdir', letters: 'pc' },
  gradle: { long: 'init-script', letters: 'I' },
  gradlew: { long: 'init-script', letters: 'I' },
  rake: { long: 'execute execute-print require rakefile', letters: 'eEprf' },
  cmake: { words: '-P -E' },
  bazel: { long: 'run_under' },
  just: { long: 'shell command', letters: 'c' },
  apt: { long: 'option config-file', letters: 'oc' },
  'apt-get': { long: 'option config-file', letters: 'oc' },
  deno: { words: 'eval repl - -e -p', long: 'eval', starts: 'data: http: https: npm: jsr:' },
  claude: {
    long: 'dangerously-skip-permissions allow-dangerously-skip-permissions permission-mode settings mcp-config',
  },
  bun: { words: 'repl - -e -p', long: 'eval print preload' },
  npm: PACKAGE_MANAGER,
  pnpm: PACKAGE_MANAGER,
  yarn: PACKAGE_MANAGER,
  gh: { words: 'alias extension config codespace' },
  docker: { long: 'entrypoint config host context', letters: 'H' },
  kubectl: { long: 'kubeconfig' },
  openssl: { words: '-engine -provider' },
  mvn: { words: 'exec:exec exec:java -s -gs', long: 'settings global-settings' },
}

type Inside = (path: string) => boolean

const SPECIAL: Record<string, (words: readonly ShellWord[], inside: Inside) => string | null> = {
  git: gitFault,
  sed: sedFault,
  gsed: sedFault,
  awk: awkFault,
  gawk: awkFault,
  mawk: awkFault,
  nawk: awkFault,
  make: makeFault,
  gmake: makeFault,
  printf: printfFault,
  test: words => testArgumentsFault(words.slice(1)),
  '[': words => testArgumentsFault(words.slice(1, -1)),
}

/** Why these arguments ask whatever the rules say, or null. `inside`: is that directory one of the project's? */
export function hazardOf(words: readonly ShellWord[], inside: Inside): string | null {
  const name = programName(words[0]!)
  if (Object.hasOwn(SPECIAL, name)) return SPECIAL[name]!(words, inside)
  if (!Object.hasOwn(HAZARDS, name)) return null
  const hazard = HAZARDS[name]!
  const dashes = words.findIndex(({ value }) => value === '--')
  const end = hazard.endsAtDashes && dashes > 0 ? dashes : words.length
  for (let at = 1; at < end; at++) {
    const word = words[at]!
    const directory = directoryAt(words, at)
    if (directory !== null && inside(directory)) continue
    const bundled = name === 'tar' && at === 1 && bundles(word, 'IF')
    if (bundled || isHazardous(word, hazard)) return `${name} with ${word.text} can run other programs: it asks`
    if (hidesFlag(word)) return `what ${name} would be told cannot be seen`
  }
  return null
}

function isHazardous(word: ShellWord, { long = '', letters = '', words = '', starts = '' }: Hazard): boolean {
  // What is known of the beginning is enough: `--pre="$x"` is --pre.
  const known = word.value ?? word.start
  if (known !== '' && words.split(' ').includes(known)) return true
  if (starts !== '' && starts.split(' ').some(each => known.toLowerCase().startsWith(each))) return true
  const [, dashes = '', flag = ''] = /^(--?)([^=]*)/.exec(known) ?? []
  if (dashes === '' || flag === '') return false
  if (long.split(' ').some(each => each === flag || (dashes === '--' && each.startsWith(flag)))) return true
  return dashes === '-' && bundles(word, letters)
}

function bundles({ start }: ShellWord, letters: string): boolean {
  return letters !== '' && new RegExp(`^-?[A-Za-z0-9]*[${letters}]`).test(start) && !start.startsWith('--')
}
