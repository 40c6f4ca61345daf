import { hidesFlag } from './name.ts'
import { directoryAt, passFlags } from './subcommands.ts'
import type { ShellWord } from './word.ts'

// Subcommands that run programs or change which programs git runs.
const RUNS = new Set([
  ...['bisect', 'submodule', 'hook', 'filter-branch', 'for-each-repo', 'difftool', 'mergetool', 'send-email', 'daemon'],
  ...[
    'instaweb',
    'shell',
    'upload-pack',
    'receive-pack',
    'upload-archive',
    'maintenance',
    'credential',
    'gui',
    'citool',
  ],
  ...['svn', 'p4', 'cvsserver', 'http-backend', 'remote-ext', 'remote-fd', 'fast-import', 'web--browse', 'imap-send'],
])

// Flags that name a program, or a file that will be written, or settings that name a program.
const NAMES_PROGRAM =
  'upload-pack receive-pack exec open-files-in-pager extcmd ext-diff output template config config-env gpg-program'.split(
    ' ',
  )
const LETTERS: Record<string, string> = { clone: 'uc', grep: 'O', rebase: 'x', 'ls-remote': 'u', archive: 'o' }
const READS_SETTINGS = new Set(['--get', '--get-all', '--get-regexp', '--list', '-l', 'get', 'list'])

// The word after them is text, whatever it begins with: how every commit message is given.
const TAKES_TEXT = new Set(['-m', '-am', '--message', '-F', '--file', '--author', '--date', '--grep', '-S', '-G'])

export function gitFault(words: readonly ShellWord[], inside: (path: string) => boolean): string | null {
  const at = passFlags(words, 1)
  const subcommand = words[at]
  if (subcommand === undefined) return null
  const elsewhere = words.slice(1, at).find((_, index) => !inside(directoryAt(words, index + 1) ?? '.'))
  if (elsewhere) return 'git would work outside the project'
  const name = subcommand.value
  if (name === '--version') return null
  if (name === null || name.startsWith('-')) return `git with ${subcommand.text} can run other programs: it asks`
  const rest = words.slice(at + 1)
  if (RUNS.has(name)) return `git ${name} can run other programs: it asks`
  if (name === 'config' && !READS_SETTINGS.has(rest[0]?.value ?? ''))
    return 'git config can name programs to run: it asks'
  const found = rest.find((word, index) => !isText(word, rest[index - 1]) && isHazardous(word, LETTERS[name] ?? ''))
  if (found) return `git ${name} with ${found.text} can run other programs: it asks`
  const hidden = rest.some((word, index) => hidesFlag(word) && !isText(word, rest[index - 1]))
  return hidden ? `what git ${name} would be told cannot be seen` : null
}

function isText(word: ShellWord, before: ShellWord | undefined): boolean {
  return !word.splits && TAKES_TEXT.has(before?.value ?? '')
}

function isHazardous({ value, start }: ShellWord, letters: string): boolean {
  const known = value ?? start
  // `ext::sh -c ...` is an address to git.
  if (/^[\w-]+::/.test(known)) return true
  const flag = /^--([^=]+)/.exec(known)?.[1]
  if (flag !== undefined) return NAMES_PROGRAM.some(each => each.startsWith(flag))
  return letters !== '' && new RegExp(`^-[A-Za-z0-9]*[${letters}]`).test(known)
}
