import type { HookEvent } from '../../contract/hook.ts'
import type { Answer } from '../../contract/inbox.ts'

type Held = Extract<HookEvent, { name: 'PermissionRequest' | 'PreToolUse' }>

/** What a held hook prints for an answer: the client's own words, which nothing outside this folder knows. */
export function hookOutput(event: Held, answer: Answer): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event.name, ...decision(event, answer) } })
}

function decision(event: Held, answer: Answer): Record<string, unknown> {
  if (event.name === 'PermissionRequest') {
    if (answer.kind === 'allow') return { decision: { behavior: 'allow' } }
    return { decision: { behavior: 'deny', message: answer.kind === 'deny' ? answer.reason : answer.text } }
  }
  if (answer.kind === 'deny') return { permissionDecision: 'deny', permissionDecisionReason: answer.reason }
  if (answer.kind === 'allow') return { permissionDecision: 'allow' }
  return { permissionDecision: 'allow', updatedInput: { ...event.input, answers: answersTo(event.input, answer.text) } }
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
