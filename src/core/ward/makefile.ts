/** In make's own order of preference. */
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

export function makefileOf(names: string[]): string | null {
  return MAKEFILES.find(name => names.includes(name)) ?? null
}

export function isMakefile(name: string): boolean {
  return MAKEFILES.includes(name) || name.endsWith('.mk')
}

/** The names before the colon of every rule; not variables (`test := x`), recipes, or special targets (`.PHONY: test`). */
export function makeTargets(text: string): Set<string> {
  return new Set(linesOf(text).flatMap(line => targetsOf(line) ?? []))
}

const LARGEST = 512 * 1024
const MOST_LINES = 5_000

type Rule = { targets: string[]; needs: string[]; lines: string[] }

/** What `make` does in these lines of shell: the rules that they name, with what these need and the variables in them. */
export function rulesUsed(text: string, lines: string[]): string[] {
  const calls = lines.flatMap(line =>
    [...line.matchAll(/\bmake\b((?:[ \t]+[\w./:=-]+)*)/g)].map(match => match[1] ?? ''),
  )
  if (calls.length === 0) return []
  // Nobody wrote that by hand: then every change counts.
  if (text.length > LARGEST || linesOf(text).length > MOST_LINES) return [text]
  const { rules, others } = parsed(text)
  const waiting = calls.flatMap(words => targetsNamed(words, rules))
  const used = new Set<Rule>()
  for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
    for (const rule of rules.filter(one => one.targets.includes(target!) && !used.has(one))) {
      used.add(rule)
      const within = rule.lines.flatMap(line => [...line.matchAll(/(?:\bmake|\$[({]MAKE[)}])[ \t]+([\w-]+)/g)])
      waiting.push(...rule.needs, ...within.map(match => match[1] ?? ''))
    }
  }
  const recipes = [...used].flatMap(rule => rule.lines)
  return [...recipes, ...variablesUsed(recipes, others)]
}

function parsed(text: string): { rules: Rule[]; others: string[] } {
  const rules: Rule[] = []
  const others: string[] = []
  for (const line of linesOf(text)) {
    const targets = targetsOf(line)
    if (targets) {
      const needs = line
        .slice(line.indexOf(':') + 1)
        .replace(/^:|;.*$/g, '')
        .trim()
        .split(/\s+/)
      rules.push({ targets, needs, lines: [line.trim()] })
    } else if (line.startsWith('\t')) rules.at(-1)?.lines.push(line.trim())
    else if (line.trim() && !/^(#|\.PHONY\b)/.test(line)) others.push(line.trim())
  }
  return { rules, others }
}

/** Without a target the first rule is meant. */
function targetsNamed(words: string, rules: Rule[]): string[] {
  const targets = words.split(/\s+/).filter(word => /^\w[\w./-]*$/.test(word))
  return targets.length > 0 ? targets : (rules[0]?.targets ?? [])
}

/** Those that stand in a recipe, those that stand in these, and whatever is no assignment of a variable. */
function variablesUsed(recipes: string[], others: string[]): string[] {
  const nameOf = (line: string) => /^(?:override[ \t]+)?([\w.-]+)[ \t]*[:?+!]*=/.exec(line)?.[1] ?? null
  const used = others.filter(line => ['SHELL', '.SHELLFLAGS', 'MAKEFLAGS', null].includes(nameOf(line)))
  const text = [...recipes, ...used]
  for (let seen = 0; seen < text.length; seen++) {
    const names = new Set([...text[seen]!.matchAll(/\$[({]([\w.-]+)[)}]/g)].map(match => match[1]))
    const more = others.filter(line => names.has(nameOf(line) ?? '') && !used.includes(line))
    used.push(...more)
    text.push(...more)
  }
  return used
}

function linesOf(text: string): string[] {
  return text.replace(/\\\r?\n/g, ' ').split('\n')
}

function targetsOf(line: string): string[] | null {
  if (line.length > 10_000 || /^[\t#]/.test(line)) return null
  const words = /^([^:=#\t]+)::?(?![=:])/.exec(line)?.[1]?.trim().split(/\s+/)
  return !words || words[0]?.startsWith('.') ? null : words
}
