import { type Ground, isInside, pathFrom } from '../ground.ts'
import type { ShellWord } from './word.ts'

// Each change may fail, so each doubles what is possible; a person changes once or twice.
const MOST_DIRECTORIES = 8

/** Where a command may stand: its changes of directory, each of which may have failed or run in a subshell. */
export class Directories {
  #possible: readonly string[]
  /** For each cd on whose success the next commands depend: where they would stand without it. */
  readonly #otherwise: (readonly string[])[] = []
  /** Of the last cd: where it began, and where it leads. */
  #before: readonly string[] = []
  #reached: readonly string[] = []
  readonly #ground: Ground

  constructor(ground: Ground) {
    this.#ground = ground
    this.#possible = [ground.cwd]
  }

  get possible(): readonly string[] {
    return this.#possible
  }

  /** False: where it leads cannot be said, or it may lead out of the project. */
  change(words: readonly ShellWord[], repeats: boolean): boolean {
    const target = words[1]?.value ?? null
    if (repeats || words.length !== 2 || target === null || /^[-+~]/.test(target)) return false
    this.#before = this.#possible
    this.#reached = this.#possible.map(directory => pathFrom(directory, target, this.#ground) ?? '/')
    const possible = union(this.#before, this.#reached)
    if (possible.length > MOST_DIRECTORIES || !this.#reached.every(path => isInside(path, this.#ground.root)))
      return false
    this.#possible = possible
    return true
  }

  ifSo(): void {
    this.#otherwise.push(this.#before)
    this.#possible = union([], this.#reached)
  }

  ifNot(): void {
    this.#possible = union(this.#otherwise.pop() ?? [], this.#possible)
  }
}

function union(some: readonly string[], others: readonly string[]): string[] {
  return [...new Set([...some, ...others])]
}
