import type { HookEvent } from '../../contract/hook.ts'
import type { Answer } from '../../contract/question.ts'

export type Held = Extract<HookEvent, { name: 'PermissionRequest' }>

/** What a held hook prints for an answer: the client's own words, which nothing outside this folder knows. */
export function hookOutput(event: Held, answer: Answer): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event.name, decision: decision(event, answer) } })
}

function decision({ tool, input }: Held, answer: Answer): Record<string, unknown> {
  if (answer.kind === 'allow') return { behavior: 'allow' }
  if (answer.kind === 'text' && isQuestion(tool)) {
    return { behavior: 'allow', updatedInput: { ...input, answers: answersTo(input, answer.text) } }
  }
  return { behavior: 'deny', message: answer.kind === 'deny' ? answer.reason : answer.text }
}

/** Stops a tool before it runs, and tells the model why. */
export function denyTool(reason: string) {
  return {
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason },
  }
}

/** The tool by which a model asks a person. The client wants a permission for it, and the answer comes with that. */
export function isQuestion(tool: string): boolean {
  return tool === 'AskUserQuestion'
}

/** One text answers all questions of the call; the number of an option means its label. */
function answersTo(input: Record<string, unknown>, text: string): Record<string, string> {
  return Object.fromEntries(
    questionsIn(input).map(({ question, labels }) => {
      const option = /^[1-9]\d?$/.test(text.trim()) ? labels[Number(text.trim()) - 1] : undefined
      return [question, option ?? text]
    }),
  )
}

/** The questions of an AskUserQuestion with the labels of their options. */
export function questionsIn(input: Record<string, unknown>): { question: string; labels: string[] }[] {
  const questions = Array.isArray(input.questions) ? input.questions : []
  return questions.slice(0, 20).flatMap(entry => {
    if (typeof entry !== 'object' || entry === null || typeof entry.question !== 'string') return []
    const options: unknown[] = Array.isArray(entry.options) ? entry.options.slice(0, 20) : []
    const labels = options.map(option => {
      const label = typeof option === 'object' && option !== null ? (option as { label?: unknown }).label : option
      return typeof label === 'string' ? label : ''
    })
    return [{ question: entry.question, labels }]
  })
}
