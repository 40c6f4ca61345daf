import type { LoopSpec } from '../../contract/loop.ts'
import { roleInstructions } from './prompt-roles.ts'

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
  role: LoopSpec['role']
  /** Of a worker: its own, instead of everybody's. */
  task: { id: string; text: string } | null
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
  const { directory, stopWord, iteration, maxIterations, task } = texts
  const words = { role: texts.role, directory, stopWord, task: task?.id ?? null }
  const role = texts.instructions ?? roleInstructions(words)
  const parts = [
    texts.note,
    `This is iteration ${iteration} of at most ${maxIterations}.`,
    role,
    task && section(`Your task: ${task.id} (assigned_task.md)`, task.text),
    section(task ? 'The goal that it is a part of (anchor.md)' : 'The task (anchor.md)', texts.anchor),
    section('Lessons (guardrails.md)', end(texts.guardrails, GUARDRAIL_CHARACTERS)),
    section('What was done so far (progress.md)', end(texts.progress, PROGRESS_CHARACTERS)),
    section('Tasks (tasks.md)', end(texts.tasks, TASK_CHARACTERS)),
    section('What the checks found the last time', end(texts.failures, FAILURE_CHARACTERS)),
    section('Messages from people', texts.messages.join('\n\n')),
    section('The last iterations', texts.activity.join('\n')),
  ]
  return parts.filter(part => part !== null && part !== '').join('\n\n')
}

function section(title: string, text: string): string | null {
  return text.trim() ? `# ${title}\n\n${text.trim()}` : null
}

function end(text: string, characters: number): string {
  if (text.length <= characters) return text
  const cut = text.slice(-characters)
  return `(the beginning is left out)\n${cut.slice(cut.indexOf('\n') + 1)}`
}
