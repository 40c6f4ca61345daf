import type { Answer } from '../../contract/question.ts'
import type { Asked } from './inbox.ts'

type About = Pick<Asked, 'id' | 'kind' | 'run' | 'agent' | 'step' | 'text' | 'project' | 'askedAt'>

/** A question that we ask ourselves, about a run: no client waits for it, so nothing that one does closes it. */
export function ownQuestion(about: About): Asked {
  const { id, project, askedAt } = about
  return {
    ...about,
    options: [],
    since: new Date(askedAt).toISOString(),
    tool: null,
    why: null,
    cwd: project,
    match: { session: '', agentId: '', tool: '', input: id },
  }
}

/** The answer to one, as agents are told it. */
export function answerWords(answer: Answer): string {
  if (answer.kind === 'text') return `The answer: ${answer.text}`
  if (answer.kind === 'allow') return 'The answer: yes, go on'
  return `The answer: no${answer.reason ? `: ${answer.reason}` : ''}`
}
