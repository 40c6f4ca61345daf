import { nameMatches } from './glob.ts'
import { below, folded, type Ground, isInside } from './ground.ts'

/*
 * What is written here is obeyed later by somebody who asks nobody: git's hooks and settings, the client's, ours, the
 * shell's, the editor's. So no rule allows a change there; a person looks at each.
 */
const KEPT_NAMES = new Set([
  ...['.git', '.gitconfig', '.gitmodules', '.claude', '.claude.json', '.mcp.json', 'rehoboam.config.json'],
  ...['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.inputrc'],
  ...['.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout', '.kshrc', '.cshrc', '.tcshrc', '.login', '.envrc'],
  ...['.vscode', '.idea', '.husky', '.ripgreprc', '.npmrc', '.yarnrc', '.yarnrc.yml', '.ssh', '.gnupg', '.netrc'],
])

/** The name in the path that is kept, or null. */
export function keptPlace(path: string, { root, home, state }: Ground): string | null {
  if (state !== null && isInside(path, state)) return state
  const names = (isInside(path, root) ? below(path, root) : path).split('/')
  const kept = names.find(isKeptName)
  if (kept !== undefined) return kept
  // A directory with a HEAD is a repository to git, settings, programs and all, whatever its name.
  if (folded(names.at(-1) ?? '') === 'head') return names.at(-1)!
  return ofTheHome(path, root, home)
}

function isKeptName(name: string): boolean {
  // Windows' disks take `.git.`, `.git::$DATA` and `git~1` for `.git`.
  const plain = folded(name).replace(/:.*$|[. ]+$/g, '')
  return KEPT_NAMES.has(plain) || plain.startsWith('.rehoboam') || /^git~\d$/.test(plain)
}

/** `~/.config`, `~/.local` and the rest of them steer everything that the user runs, unless the project itself is there. */
function ofTheHome(path: string, root: string, home: string): string | null {
  if (!isInside(path, home)) return null
  const [first = ''] = below(path, home).split('/')
  return first.startsWith('.') && !isInside(root, `${home}/${first}`) ? `~/${first}` : null
}

/** Could a word with wildcards mean a kept name? `.g?t/hooks` could; `*.json` is not taken to mean a dot file. */
export function mayMeanKept(word: string): boolean {
  return folded(word)
    .split('/')
    .some(part => /[*?[]/.test(part) && wild(part))
}

function wild(part: string): boolean {
  // A bracket is one character, whichever; this only has to be wide enough.
  const pattern = part.replace(/\[[^\]]*\]?/g, '?')
  return [...KEPT_NAMES, '.rehoboam'].some(name => nameMatches(pattern, name, false))
}
