/** The names that a prompt of ours states in its first line, or in its last when the prompt begins with a slash. */
export type PromptLine = Partial<Record<PromptField, string>>
export const promptFields = ['run', 'role', 'step', 'task', 'iteration', 'attempt'] as const
export type PromptField = (typeof promptFields)[number]

export function promptLine(prompt: string): PromptLine {
  const lines = prompt.trim().split('\n')
  // A command that the client expanded has our line somewhere in the middle, where its template puts the arguments.
  return read(lines[0]) ?? read(lines.at(-1)) ?? read(/\[rehoboam run=[^\]\n]*\]/.exec(prompt)?.[0]) ?? {}
}

/** Returns the prompt's own text. A run's random id could otherwise match a pattern. */
export function textOf(prompt: string): string {
  return prompt.replace(/\[rehoboam [^\]\n]*\]/, '')
}

function read(line: string | undefined): PromptLine | undefined {
  const found = /^\[rehoboam ([^\]]*)\]$/.exec(line?.trim() ?? '')
  if (!found) return undefined
  const fields: PromptLine = {}
  for (const pair of found[1]!.split(/\s+/)) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at) as PromptField
    if (at > 0 && promptFields.includes(name)) fields[name] = pair.slice(at + 1)
  }
  return fields
}
