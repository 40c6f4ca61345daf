// A planner that names more has not made a small task.
const MOST_FILES = 50
const LIST = /\bfiles?: *([^\n)]+)/gi
const QUOTED = /`([^`\n]{1,300})`/g
const BARE = /(?<![\w:/.@-])(?:[\w@.-]+\/)+[\w@.-]+/g
const PATH = /^(?:[\w@.+-]+\/)*[\w@.+-]+$/

/**
 * The files that a task says it will change: those behind "files:", else paths in backticks, else words that are paths.
 * Each is folded to signs of its segments, because a journal holds no text of an agent; a directory is the beginning of
 * what is in it.
 */
export function filesNamedIn(text: string): string[] {
  const listed = [...text.matchAll(LIST)].flatMap(([, list]) => list!.split(/[,;]|\s+and\s+/))
  const quoted = [...text.matchAll(QUOTED)].map(([, name]) => name!).filter(name => /[./]/.test(name))
  const bare = [...text.matchAll(BARE)].map(([name]) => name)
  const named = listed.length ? listed : quoted.length ? quoted : bare
  const paths = named.map(tidy).filter(path => path !== '' && PATH.test(path))
  return [...new Set(paths.map(signOf))].slice(0, MOST_FILES)
}

/** The same for files that are listed one by one. */
export function fileSigns(paths: string[]): string[] {
  return [
    ...new Set(
      paths
        .map(tidy)
        .filter(path => PATH.test(path))
        .map(signOf),
    ),
  ]
}

/** They meet where one is the other, or holds it. */
export function shareFiles(one: string[], other: string[]): boolean {
  return one.some(a => other.some(b => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`)))
}

function tidy(name: string): string {
  return name
    .trim()
    .replace(/^[`'"*]+|[`'"*.]+$/g, '')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '')
}

function signOf(path: string): string {
  return path
    .split('/')
    .filter(segment => segment !== '.')
    .map(hash)
    .join('/')
}

/** FNV-1a: short, and two files of one project that meet by chance only wait for each other. */
function hash(text: string): string {
  let sum = 0x811c9dc5
  for (const unit of new TextEncoder().encode(text)) sum = Math.imul(sum ^ unit, 0x01000193) >>> 0
  return sum.toString(16).padStart(8, '0')
}
