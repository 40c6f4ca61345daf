import { resolve } from 'node:path'
import { within } from './within.ts'

// A double of the client's judgement, good enough for rehearsals. It guards nothing: a rehearsal's commands are our own.

const READERS =
  /^(echo|printf|ls|pwd|cat|head|tail|wc|grep|find|seq|true|false|date|which|whoami|id|env|uname|sort|uniq|cut|tr|diff|stat|sleep|test|cd|basename|dirname|exit|export)(\s|$)/
const GIT_READERS = /^git (status|log|diff|show|branch|rev-parse|ls-files)(\s|$)/
const SILENT = /^(mv|cp|rm|mkdir|rmdir|chmod|chown|chgrp|touch|ln|cd|export|unset|wait)(\s|$)/
const WRITERS = /^(touch|mkdir|rm|rmdir|mv|cp|sed)(\s|$)/

/** Nobody expects it to print anything. */
export function silent(command: string): boolean {
  return subcommands(command).every(part => SILENT.test(part))
}

export function readOnly(command: string): boolean {
  return subcommands(command).every(part => isReader(part) && !redirected(part))
}

/** The first file that the command would change, and how the client names the deed. */
export function firstWrite(command: string): { deed: string; path: string } | undefined {
  for (const part of subcommands(command)) {
    const [program, ...rest] = words(part)
    const path = WRITERS.test(part) ? rest.find(word => !word.startsWith('-')) : undefined
    if (program && path) return { deed: `${program} in`, path }
    const target = redirected(part)
    if (target && isReader(part)) return { deed: 'Output redirection to', path: target }
  }
  return undefined
}

/** Changes files, and only inside these directories. */
export function writesOnly(command: string, cwd: string, directories: string[]): boolean {
  return subcommands(command).every(part => {
    if (!isReader(part) && !WRITERS.test(part)) return false
    const paths = WRITERS.test(part)
      ? words(part)
          .slice(1)
          .filter(word => !word.startsWith('-'))
      : [redirected(part) ?? cwd]
    return paths.every(path => directories.some(directory => within(resolve(cwd, path), directory)))
  })
}

export function subcommands(command: string): string[] {
  return outsideQuotes(command, /&&|\|\||[;|\n]/)
    .map(part => part.trim())
    .filter(Boolean)
}

function isReader(part: string): boolean {
  return READERS.test(part) || GIT_READERS.test(part)
}

function redirected(part: string): string | undefined {
  const [, target] = outsideQuotes(part.replace(/2>&1|>&2|2>\s*\/dev\/null/g, ''), />>?/)
  return target === undefined ? undefined : words(target)[0]
}

function words(part: string): string[] {
  return part
    .trim()
    .split(/\s+/)
    .map(word => word.replace(/^['"]|['"]$/g, ''))
}

function outsideQuotes(text: string, separator: RegExp): string[] {
  const quoted: string[] = []
  const marked = text.replace(/'[^']*'|"[^"]*"/g, found => `\0${quoted.push(found) - 1}\0`)
  return marked.split(separator).map(part => part.replace(/\0(\d+)\0/g, (_, n) => quoted[Number(n)]!))
}
