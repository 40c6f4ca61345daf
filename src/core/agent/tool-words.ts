import { short } from '../../contract/short.ts'

/** The one thing that tells a person most about a tool call: "Bash: npm test", "Edit: src/cart.ts". */
export function toolWords(name: string, input: Record<string, unknown>): string {
  for (const field of [
    'command',
    'file_path',
    'notebook_path',
    'path',
    'pattern',
    'url',
    'query',
    'description',
    'prompt',
  ]) {
    const value = input[field]
    if (typeof value === 'string' && value.trim()) return `${name}: ${short(value.trim(), 200)}`
  }
  const asked = questionOf(input)
  return asked ? `${name}: ${asked}` : name
}

// More than anybody reads before they allow it; what is left out is said.
const ASKED_LIMIT = 8_000

/** The same for whoever has to decide: nothing of a command may be hidden behind its beginning. */
export function askedWords(name: string, input: Record<string, unknown>): string {
  const whole = input.command
  if (typeof whole !== 'string' || !whole.trim()) return toolWords(name, input)
  const more = whole.length - ASKED_LIMIT
  return `${name}: ${whole.trim().slice(0, ASKED_LIMIT)}${more > 0 ? `… (${more} more characters)` : ''}`
}

/** The text of an AskUserQuestion. */
export function questionOf(input: Record<string, unknown>): string {
  const [first] = Array.isArray(input.questions) ? input.questions : []
  const text = typeof first === 'object' && first !== null ? (first as { question?: unknown }).question : undefined
  return typeof text === 'string' ? short(text, 500) : ''
}

/** The file that a tool changes, or null. */
export function fileChanged(name: string, input: Record<string, unknown>): string | null {
  if (!['Edit', 'Write', 'NotebookEdit', 'MultiEdit'].includes(name)) return null
  const path = input.file_path ?? input.notebook_path
  return typeof path === 'string' ? short(path, 1000) : null
}
