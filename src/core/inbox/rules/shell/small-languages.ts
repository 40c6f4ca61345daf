import { hidesFlag } from './name.ts'
import type { ShellWord } from './word.ts'

// Programs whose arguments are a language of their own that can run programs. Only what plainly does not is let through.

/** `s/a/b/g`, `10,20p`, `/x/d`. sed's e and w run and write. */
export function sedFault(words: readonly ShellWord[]): string | null {
  const rest = words.slice(1)
  const scripts = rest.filter(({ value }) => value !== null && !value.startsWith('-'))
  const flags = rest.filter(({ start }) => start.startsWith('-'))
  const plainFlags = flags.every(({ value }) => value !== null && /^-(?:[nrEsuz]+|i(?:\.\w+)?|e)$/.test(value))
  const given = flags.some(({ value }) => value === '-e') ? scripts : scripts.slice(0, 1)
  const last = rest.every((word, index) => rest[index - 1]?.value !== '-e' || isPlainSed(word.value))
  const plain = plainFlags && last && !rest.some(hidesFlag) && given.length > 0 && isPlainSed(given[0]!.value)
  return plain ? null : 'sed can run programs and write files, and this is not plain enough to tell: it asks'
}

const SED_ADDRESS = '(?:\\d+|\\$|/[^/\\n\\\\]*/)'
const SED = new RegExp(
  `^(?:${SED_ADDRESS}(?:,${SED_ADDRESS})?)?(?:[pd=q]|s([/|,#@:])(?:(?!\\1)[^\\n\\\\]|\\\\[^\\n])*\\1(?:(?!\\1)[^\\n\\\\]|\\\\[^\\n])*\\1[gIp0-9]*)$`,
)

function isPlainSed(script: string | null): boolean {
  return script !== null && SED.test(script)
}

/** awk that prints and compares. system(), pipes, redirections and getline run and write. */
export function awkFault(words: readonly ShellWord[]): string | null {
  const rest = words.slice(1)
  let at = 0
  while (at < rest.length && /^-F/.test(rest[at]!.value ?? '')) at += rest[at]!.value === '-F' ? 2 : 1
  const program = rest[at]?.value ?? null
  // A name in front of a parenthesis must be a function that only computes.
  const calls = [...(program ?? '').matchAll(/(@?\w+)\s*\(/g)].map(([, name]) => name)
  const computes = /^(?:length|substr|index|split|tolower|toupper|int|sprintf|match|gsub|sub|printf|if|while|for)$/
  const plain =
    program !== null &&
    !program.startsWith('-') &&
    !/[|>@\\]|getline|system|close|fflush/.test(program.replaceAll('||', ''))
  const safe = plain && calls.every(name => computes.test(name!)) && !rest.slice(at + 1).some(hiddenOrFlag)
  return safe ? null : 'awk can run programs and write files, and this is not plain enough to tell: it asks'
}

/** Targets and counting flags. `VAR=value`, another makefile and --eval bring recipes of their own. */
export function makeFault(words: readonly ShellWord[]): string | null {
  const plain = /^(?:-j\d*|-[skniBw]+|--silent|--keep-going|--dry-run|--always-make|\d+|[A-Za-z_][\w./:-]*)$/
  const odd = words.slice(1).find(({ value }) => value === null || !plain.test(value))
  return odd ? `make with ${odd.text} can run anything: it asks` : null
}

/** Only %s and its like: in zsh the numeric ones evaluate what they are given; -v sets a variable. */
export function printfFault(words: readonly ShellWord[]): string | null {
  const format = words[1]?.value
  const plain =
    typeof format === 'string' && !format.startsWith('-') && !/%(?!%|[-0-9]*[sbcq])/.test(format.replaceAll('%%', ''))
  return plain ? null : 'printf with a format that can set variables or evaluate: it asks'
}

/** After awk's program: files. `-f`, `-v` and `A=b` there are programs and values that the program may evaluate. */
function hiddenOrFlag(word: ShellWord): boolean {
  return hidesFlag(word) || word.start.startsWith('-') || word.start.includes('=')
}
