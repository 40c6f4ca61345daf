/** In make's own order of preference. */
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

export function makefileOf(names: string[]): string | null {
  return MAKEFILES.find(name => names.includes(name)) ?? null
}

/** The names before the colon of every rule; not variables (`test := x`), recipes, or special targets (`.PHONY: test`). */
export function makeTargets(text: string): Set<string> {
  const targets = new Set<string>()
  for (const line of text.replace(/\\\r?\n/g, ' ').split('\n')) {
    if (line.length > 10_000 || /^[\t#]/.test(line)) continue
    const rule = /^([^:=#\t]+)::?(?![=:])/.exec(line)
    const words = rule?.[1]?.trim().split(/\s+/) ?? []
    if (words[0]?.startsWith('.')) continue
    for (const word of words) targets.add(word)
  }
  return targets
}
