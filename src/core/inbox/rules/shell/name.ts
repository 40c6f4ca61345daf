import { folded } from '../ground.ts'
import type { ShellWord } from './word.ts'

/** The program's name without its directory, as far as it can be seen: `/bin/rm`, `~/rm` and `"r"m` are all rm. */
export function programName({ guess }: ShellWord): string {
  return guess.slice(guess.lastIndexOf('/') + 1)
}

/** Written plainly, so that every shell takes it for the same name. */
export function isPlainName({ text, value }: ShellWord): boolean {
  return text === value && (text === '[' || text === ':' || /^[A-Za-z0-9_./][A-Za-z0-9_./+@-]*$/.test(text))
}

/** Could hide a flag: nobody knows with what it begins, or which flag it is. `--message="$x"` hides none. */
export function hidesFlag({ start, value, splits }: ShellWord): boolean {
  return value === null && (splits || start === '' || /^-[^=]*$/.test(start))
}

/** The program of ours: no rule allows it, under whatever path, package or file name. */
export function isRehoboam(word: ShellWord): boolean {
  const plain = folded(word.guess)
  return /(?:^|\/)rehoboam(?:@[^/]*|\.[cm]?[jt]s)?$|(?:^|\/)node_modules\/rehoboam(?:\/|$)/.test(plain)
}

/** The command as a person would say it, without its arguments. */
export function spoken(words: readonly ShellWord[]): string {
  return words.map(({ text }) => text).join(' ')
}
