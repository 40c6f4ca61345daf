/** What the files said when an iteration was prepared. Texts from agents are data in it, fenced by headings. */
export type PromptTexts = {
  directory: string
  anchor: string
  guardrails: string
  progress: string
  tasks: string
  failures: string
  messages: string[]
  activity: string[]
  note: string | null
  stopWord: string
  iteration: number
  maxIterations: number
  /** What the user wants said instead of our own words for the role. */
  instructions: string | null
}

// Of the end of what grows: an agent can read the file for the rest. Together far below what a context holds.
const PROGRESS_CHARACTERS = 12_000
const GUARDRAIL_CHARACTERS = 8_000
const TASK_CHARACTERS = 16_000
const FAILURE_CHARACTERS = 12_000

/** The prompt of one iteration: everything that a session without a memory needs to go on. */
export function iterationPrompt(texts: PromptTexts): string {
  const { directory, stopWord, iteration, maxIterations } = texts
  const role = texts.instructions ?? autoInstructions(directory, stopWord)
  const parts = [
    texts.note,
    `This is iteration ${iteration} of at most ${maxIterations}.`,
    role,
    section('The task (anchor.md)', texts.anchor),
    section('Lessons (guardrails.md)', end(texts.guardrails, GUARDRAIL_CHARACTERS)),
    section('What was done so far (progress.md)', end(texts.progress, PROGRESS_CHARACTERS)),
    section('Tasks (tasks.md)', end(texts.tasks, TASK_CHARACTERS)),
    section('What the checks found the last time', end(texts.failures, FAILURE_CHARACTERS)),
    section('Messages from people', texts.messages.join('\n\n')),
    section('The last iterations', texts.activity.join('\n')),
  ]
  return parts.filter(part => part !== null && part !== '').join('\n\n')
}

function autoInstructions(directory: string, stopWord: string): string {
  return [
    'You work in a loop of fresh sessions: each begins with an empty memory, and only files go on. Look at the state of the project first, then do the next sensible piece of the task below, and check your own work.',
    `Before you end, append to ${directory}/progress.md what you did, what you found out and what comes next, in a few lines under a heading with the iteration's number. Never change ${directory}/anchor.md. Lessons that later sessions need go into ${directory}/guardrails.md.`,
    `Only when the whole task is done and you have checked it, end your last message with a line that holds nothing but the word ${stopWord}. The project's own checks are then run by somebody else, and a claim that they refute is refused. If something is left to do, say what, and end without that word. If you cannot go on without a person, say plainly what you wait for.`,
  ].join('\n')
}

function section(title: string, text: string): string | null {
  return text.trim() ? `# ${title}\n\n${text.trim()}` : null
}

function end(text: string, characters: number): string {
  if (text.length <= characters) return text
  const cut = text.slice(-characters)
  return `(the beginning is left out)\n${cut.slice(cut.indexOf('\n') + 1)}`
}
