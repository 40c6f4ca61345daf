/** How the client shows that it waits for its user, or that it has gone on: for those who look at it from outside. */

/** Its dialogs offer numbered choices, the chosen one marked, and Esc: in whatever state they are, one of these stays. */
const DIALOG = /^\s*❯ \d+\. |\bEsc to (cancel|exit)\b|\bEnter to confirm\b/m
// Longer would be cut or wrapped in a narrow pane, shorter could stand anywhere.
const KEY_LENGTH = 40

/** True when the screen shows a dialog about this call. What an agent writes can only make this true for too long. */
export function showsPrompt(screen: string, tool: string, input: Record<string, unknown>): boolean {
  return DIALOG.test(screen) && squeezed(screen).includes(squeezed(keyOf(tool, input)))
}

/** What tells the dialog on this screen from another one, whichever choice is marked; empty when it shows none. */
export function dialogIn(screen: string): string {
  return DIALOG.test(screen) ? squeezed(screen.replaceAll('❯', '')) : ''
}

function keyOf(tool: string, input: Record<string, unknown>): string {
  const [question] = Array.isArray(input.questions) ? input.questions : []
  const path = text(input.file_path) || text(input.notebook_path)
  const words = text(input.command) || text(question?.question) || path.split('/').at(-1) || tool
  return words.trim().split('\n')[0]!.slice(0, KEY_LENGTH)
}

/** Without what wrapping and frames put between letters. */
function squeezed(words: string): string {
  return words.replace(/[\s│┃|╌─]+/g, '')
}

/** True for the shell that the client starts for a command: the command stands in it as one quoted word. */
export function runsCommand({ arguments: argv }: { arguments: string[] }, command: string): boolean {
  const quoted = command.replaceAll("'", `'"'"'`)
  return argv.some(word => word.includes(`eval '${quoted}'`) || word === command)
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
