/** How often each kind of error happened in a run, by what is left of its words once digits, paths and hashes are folded. */
export type CountedErrors = [key: string, times: number][]

const ERRORS_KEPT = 200

export function errorsWith(known: CountedErrors, more: { key: string; count: number }[]): CountedErrors {
  const times = new Map(known)
  for (const { key, count } of more) times.set(key, (times.get(key) ?? 0) + count)
  return [...times].slice(-ERRORS_KEPT)
}

/** Checks that are red, but for those that were before it began: each is an error of its own kind. */
export function redErrors(failing: readonly string[], baseRed: readonly string[] | null) {
  return failing.filter(key => !baseRed?.includes(key)).map(key => ({ key, count: 1 }))
}
