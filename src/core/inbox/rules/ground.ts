import type { PermissionRequest } from './permission.ts'

/** The directories that a request is judged by, as plain absolute paths. */
export type Ground = { root: string; cwd: string; home: string; state: string | null }

/** null when one of them is not a plain absolute path: then nothing can be said about any file. */
export function groundOf(request: PermissionRequest): Ground | null {
  const root = plainPath(request.root ?? request.project)
  const cwd = plainPath(request.cwd)
  const home = plainPath(request.home)
  const state = request.state === undefined ? null : plainPath(request.state)
  return root === null || cwd === null || home === null ? null : { root, cwd, home, state }
}

/** Without `.`, `..` and double slashes; null when it is not absolute or holds what no path of a person holds. */
export function plainPath(path: string): string | null {
  if (!path.startsWith('/') || /\p{Cc}|\p{Cs}/u.test(path)) return null
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return `/${names.join('/')}`
}

/** A path as the shell or a tool would take it from a directory. `~name` is somebody else's home: not known. */
export function pathFrom(directory: string, path: string, { home }: { home: string }): string | null {
  if (path === '') return null
  if (path === '~' || path.startsWith('~/')) return plainPath(`${home}/${path.slice(1)}`)
  if (path.startsWith('~')) return null
  return plainPath(path.startsWith('/') ? path : `${directory}/${path}`)
}

/** `a/../b`: the text says b, the disk says beside wherever a leads, if a is a link. */
export function turnsBack(path: string): boolean {
  const names = path.split('/').filter(name => name !== '' && name !== '.')
  return names.some((name, index) => name === '..' && index > 0 && names[index - 1] !== '..')
}

/** A project at `/` would make every file its own, so that nothing is inside it. */
export function isInside(path: string, directory: string): boolean {
  return directory !== '/' && (path === directory || path.startsWith(`${directory}/`))
}

/** The way from the directory down to the path, which is inside it; '' for the directory itself. */
export function below(path: string, directory: string): string {
  return path.slice(directory.length + 1)
}

/** As a disk that takes `.Git` for `.git` would see it, or one that passes over letters that cannot be seen. */
export function folded(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
}
