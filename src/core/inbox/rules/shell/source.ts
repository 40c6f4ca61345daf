import { type ParsedScript, parse } from 'unbash'
import { type Part, partsOf } from './parts.ts'

// A here-document of a few hundred lines is normal. Far above that nobody reads what they allow.
const LONGEST = 40_000
// What may open something. The parser looks back at each of them, so that its work grows with their square.
const MOST_OPENINGS = 1500

/** The parts, and why the text as a whole can only be asked about, or null. Denials are looked for in any case. */
export function readCommandLine(command: string): { parts: Part[]; unclear: string | null } {
  const openings = command.length > LONGEST ? 0 : (command.match(/[`$({[<@]/g)?.length ?? 0)
  if (command.length > LONGEST || openings > MOST_OPENINGS) return { parts: [], unclear: 'it is too long to judge' }
  const script = parsed(command)
  if (script === null) return { parts: [], unclear: 'it cannot be read as a shell command' }
  return { parts: partsOf(script, command), unclear: unclearText(command) }
}

/** The parser promises never to throw; a promise is not a reason to trust it with the daemon's life. */
function parsed(command: string): ParsedScript | null {
  try {
    return parse(command)
  } catch {
    return null
  }
}

/** Characters that no command needs and that shells, screens and people read differently. */
function unclearText(command: string): string | null {
  const odd = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(command)
  return odd || !command.isWellFormed() ? 'it holds control characters' : null
}
