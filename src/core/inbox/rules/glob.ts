/**
 * `*` and `?` stay within one name, `**` is any number of names. Where a match allows something, a wildcard does not
 * match a leading dot (`src/**` says nothing about `src/.env`); where it denies, it does.
 */
export function globMatches(pattern: string, path: string, dots: boolean): boolean {
  const names = path.split('/')
  let reached = new Set([0])
  for (const part of pattern.split('/')) {
    const next = new Set<number>()
    for (const at of reached) {
      // One that was passed on the way from an earlier one leads nowhere new.
      if (part === '**' && !next.has(at)) for (const index of passable(names, at, dots)) next.add(index)
      if (part !== '**' && at < names.length && nameMatches(part, names[at]!, dots)) next.add(at + 1)
    }
    reached = next
  }
  return reached.has(names.length)
}

/** Every index that `**` may lead to from here: none of the names, one, two, ... */
function passable(names: string[], from: number, dots: boolean): number[] {
  const indices = [from]
  for (let at = from; at < names.length && (dots || !names[at]!.startsWith('.')); at++) indices.push(at + 1)
  return indices
}

/** Two pointers and one way back: linear in practice, quadratic at worst, whatever the pattern is. */
export function nameMatches(pattern: string, name: string, dots: boolean): boolean {
  if (!dots && name.startsWith('.') && !pattern.startsWith('.')) return false
  let [p, n, star, mark] = [0, 0, -1, 0]
  while (n < name.length) {
    if (pattern[p] === '*') [star, mark, p] = [p, n, p + 1]
    else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) [p, n] = [p + 1, n + 1]
    else if (star >= 0) [p, mark, n] = [star + 1, mark + 1, mark + 1]
    else return false
  }
  return /^\**$/.test(pattern.slice(p))
}
