import { realpathSync } from 'node:fs'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'

type Pair = { there: string; here: string }

/** The user's checkout and the worktree that stands in for it: where a path of the one leads in the other. */
export class Grounds {
  readonly from: string
  readonly to: string
  /** The checkout under every name that links may know it by: as given, and without symbolic links. */
  readonly names: string[]
  readonly #pairs: Pair[]

  constructor(from: string, to: string, more: Pair[] = []) {
    this.from = resolve(from)
    this.to = resolve(to)
    this.names = [...new Set([this.from, realpathSync(this.from)])]
    this.#pairs = [...this.names.map(there => ({ there, here: this.to })), ...more]
  }

  /** The same, with a tree that is copied from outside the checkout: what stays inside of it stays inside of its copy. */
  withTree(there: string, here: string): Grounds {
    return this.counterpart(there) === here ? this : new Grounds(this.from, this.to, [{ there, here }])
  }

  /** The same place in the worktree; null for what is not in the checkout. */
  counterpart(path: string): string | null {
    const pair = this.#pairOf(path)
    return pair && resolve(pair.here, relative(pair.there, path))
  }

  /**
   * What a symbolic link of the checkout says in the worktree. Into the checkout: the same place here. Elsewhere (a store, a
   * sibling): there still.
   */
  linkText(link: string, text: string): string {
    const target = resolve(dirname(link), text)
    const pair = this.#pairOf(target)
    if (!pair) return target
    // A relative one is as right here as there, when both its ends have moved together.
    if (!isAbsolute(text) && this.#pairOf(link) === pair) return text
    return resolve(pair.here, relative(pair.there, target))
  }

  /** The entries of a variable such as PATH, each where it belongs. */
  searchPath(value: string): string {
    return value
      .split(':')
      .map(entry => (isAbsolute(entry) ? (this.counterpart(entry) ?? entry) : entry))
      .join(':')
  }

  #pairOf(path: string): Pair | null {
    return this.#pairs.find(({ there }) => isInside(there, path)) ?? null
  }
}

export function isInside(directory: string, path: string): boolean {
  const inside = relative(directory, path)
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
}
