import type { CommandEnd } from '../../contract/ward.ts'

/** How much of the end of an output `outcomeOf` wants to see. */
export const LAST_WORDS = 4096

const LAST_LINES = 8

/** What the end of a command means for the work, by its code and its last words. */
export function outcomeOf(command: string, code: number, output: string): { how: CommandEnd; why: string | null } {
  if (code === 0) return { how: 'green', why: null }
  const lines = output.slice(-LAST_WORDS).split(/\r?\n/).filter(Boolean).slice(-LAST_LINES)
  const inner = innerCode(lines) ?? code
  if (inner === 126 || inner === 127) return cannot('a program that it needs is missing or cannot be started')
  if (missingUnderPnpm(command, code, lines)) return cannot('a program that it needs is missing')
  if (inner === 5 && (/\bpytest\b/.test(command) || lines.some(line => /\bno tests ran\b/.test(line)))) {
    return cannot('pytest found no tests')
  }
  if (code === 1 && /: No module named '?pytest'?$/.test(lines.at(-1) ?? '')) return cannot('pytest is not installed')
  return { how: 'red', why: null }
}

function cannot(why: string): { how: CommandEnd; why: string } {
  return { how: 'could-not-run', why }
}

/** make ends with 2, whatever its recipe ended with, and says so. */
function innerCode(lines: string[]): number | null {
  const said = lines.map(line => /^make(?:\[\d+\])?: \*\*\* \[.*\] Error (\d+)$/.exec(line)).find(Boolean)
  return said ? Number(said[1]) : null
}

/** pnpm ends with 1 when the script's program is not there; only the shell's own sentence tells. */
function missingUnderPnpm(command: string, code: number, lines: string[]): boolean {
  if (code !== 1 || !/\bpnpm\b/.test(command)) return false
  return lines.some(line => /^(sh|\/bin\/sh): (\d+: |line \d+: )?[^\s:]+: (command )?not found$/.test(line))
}
